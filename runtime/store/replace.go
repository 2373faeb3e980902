// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// replaceAll deletes every object that is missing from b.objs, unless b keeps it or only other
// sources have it. Then it sets b.objs.
func (s *Store[K, T]) replaceAll(v *version[K, T], b *Batch[K, T], wanted []table.Located[K]) {
	v.FindAll(wanted)
	keep := make([]uint64, len(s.fingerprints)/64+1)
	for i := range wanted {
		if slot := wanted[i].Slot; slot != table.NoSlot {
			keep[slot/64] |= 1 << (slot % 64)
		}
	}
	for i := range b.ops {
		if o := &b.ops[i]; o.kind == opKeep {
			if slot := v.Find(o.hash, o.key); slot != table.NoSlot {
				keep[slot/64] |= 1 << (slot % 64)
			}
		}
	}
	known := make([]uint64, len(s.fingerprints)+len(wanted))
	var gone []uint32
	v.Each(func(slot uint32, _ *table.Chunk[K, T]) bool {
		if b.incomplete {
			return false
		}
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!b.hasSource || s.sources.Has(slot, b.sourceID)) {
			gone = append(gone, slot)
		}
		return true
	})
	b.changes = slices.Grow(b.changes, len(gone)+len(wanted))
	for _, slot := range gone {
		key := v.KeyAt(slot)
		s.put(v, s.stage(v, b, &op[K, T]{kind: opDelete, key: key, hash: s.keys.Hash(key)}, slot), b)
	}
	s.staged.known = known
	for i, obj := range b.objs {
		w := &wanted[i]
		o := &op[K, T]{kind: opSet, key: w.Key, hash: w.Hash, obj: obj}
		if w.Slot == table.NoSlot {
			if w.Slot = v.Find(w.Hash, w.Key); w.Slot != table.NoSlot { // the key is twice in objs
				s.insertDeferred(v)
			}
		}
		// The slot found by FindAll is still valid: the deletions above do not touch objects that the
		// list contains.
		st := s.stage(v, b, o, w.Slot)
		known[st.slot] = st.hash
		s.put(v, st, b)
	}
	s.insertDeferred(v)
	for _, x := range s.indexers {
		x.Trim(&v.indexes, v.owner)
	}
	s.staged.known = nil
}

// insertDeferred does the deferred insertions of all indexes. It must run before an object with
// deferred insertions is written again.
func (s *Store[K, T]) insertDeferred(v *version[K, T]) {
	for _, x := range s.indexers {
		x.InsertDeferred(&v.indexes, v.owner)
	}
}
