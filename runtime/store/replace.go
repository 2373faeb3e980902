// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// deleteOthers begins a Replace: it deletes every object that b does not write, unless only other parts
// have it. It returns the slots that the writes have now, NoSlot for new objects.
func (s *Store[K, T]) deleteOthers(v *version[K, T], b *Batch[K, T]) []uint32 {
	slots, keep := make([]uint32, len(b.ops)), make([]uint64, len(s.fingerprints)/64+1)
	for i := range b.ops {
		slot := v.Find(b.ops[i].hash, b.ops[i].Key)
		if slots[i] = slot; slot != table.NoSlot {
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
		o := op[K, T]{Delta: delta.Delta[K, T]{Type: delta.Deleted, NoObject: true, Key: v.KeyAt(slot)}}
		o.hash = s.keys.Hash(o.Key)
		s.put(v, b, &o, slot)
	}
	return slots
}
