// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "slices"

// replaceAll deletes what is neither in b.objs nor kept, nor another stream's, then sets
// b.objs.
func (s *Store[K, T]) replaceAll(v *version[K, T], b *Batch[K, T], keys []K) {
	slots := make([]uint32, len(keys))
	s.findAll(v, keys, slots)
	wanted := make([]uint64, s.next/64+1)
	for _, slot := range slots {
		if slot != noSlot {
			wanted[slot/64] |= 1 << (slot % 64)
		}
	}
	for _, o := range b.ops {
		if o.kind == opKeep {
			if slot, ok := s.find(v, s.hash(o.key), o.key); ok {
				wanted[slot/64] |= 1 << (slot % 64)
			}
		}
	}
	var gone []K
	owned := s.owned(b)
	v.slots.each(func(slot uint32, ch *chunk[K, T]) bool {
		if wanted[slot/64]&(1<<(slot%64)) == 0 && (owned == nil || owned[s.owners.at(slot)]) {
			gone = append(gone, s.keyIn(ch, slot))
		}
		return true
	})
	b.changes = slices.Grow(b.changes, len(gone)+len(keys))
	for _, key := range gone {
		s.put(v, s.stage(v, op[K, T]{kind: opDelete, key: key}), b)
	}
	for i, obj := range b.objs {
		o := op[K, T]{kind: opSet, key: keys[i], obj: obj}
		if slots[i] == noSlot {
			s.put(v, s.stage(v, o), b)
			continue
		}
		// What was found stays in its slot: nothing that is wanted is deleted.
		s.put(v, s.stageAt(v, o, slots[i]), b)
	}
}
