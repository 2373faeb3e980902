// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// beginReplace deletes every object that b does not write, unless only other parts have it. The slots
// of the writes stay valid.
func (s *Store[K, T]) beginReplace(v *version[K, T], b *Batch[K, T]) {
	keep := make([]uint64, len(s.fingerprints)/64+1)
	for i := range b.ops {
		if slot := b.ops[i].slot; slot != table.NoSlot {
			keep[slot/64] |= 1 << (slot % 64)
		}
	}
	var gone []uint32
	v.Each(func(slot uint32, _ *table.Chunk[K, T]) bool {
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!b.hasPart || s.owners.Has(slot, b.partID)) {
			gone = append(gone, slot)
		}
		return true
	})
	for _, slot := range gone {
		o := op[K, T]{slot: slot}
		o.Type, o.NoObject, o.Key = delta.Deleted, true, v.KeyAt(slot)
		o.hash = s.keys.Hash(o.Key)
		s.put(v, b, &o)
	}
	s.staged.known = make([]uint64, len(s.fingerprints)+len(b.ops))
}

// endReplace completes the indexes after the last write of a Replace.
func (s *Store[K, T]) endReplace(v *version[K, T]) {
	s.insertDeferred(v)
	for _, x := range s.indexers {
		x.Trim(&v.indexes, v.owner)
	}
}

// insertDeferred does the deferred insertions of all indexes. It must run before an object with
// deferred insertions is written again.
func (s *Store[K, T]) insertDeferred(v *version[K, T]) {
	for _, x := range s.indexers {
		x.InsertDeferred(&v.indexes, v.owner)
	}
}
