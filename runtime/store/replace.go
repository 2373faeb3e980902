// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "slices"

// replaceAll deletes what is neither in b.objs nor kept, nor another stream's, then sets
// b.objs.
func (s *Store[K, T]) replaceAll(v *version[K, T], b *Batch[K, T], wanted []located[K]) {
	s.findAll(v, wanted)
	keep := make([]uint64, s.next/64+1)
	known := make([]uint64, int(s.next)+len(wanted)) // for what is split by what comes in
	for i := range wanted {
		if slot := wanted[i].slot; slot != noSlot {
			keep[slot/64] |= 1 << (slot % 64)
			known[slot] = wanted[i].hash
		}
	}
	for i := range b.ops {
		if o := &b.ops[i]; o.kind == opKeep {
			if slot, ok := s.find(v, o.hash, o.key); ok {
				keep[slot/64] |= 1 << (slot % 64)
			}
		}
	}
	var gone []K
	owned := s.owned(b)
	v.slots.each(func(slot uint32, ch *chunk[K, T]) bool {
		if keep[slot/64]&(1<<(slot%64)) == 0 && (owned == nil || owned[s.owners.at(slot)]) {
			gone = append(gone, s.keyIn(ch, slot))
		}
		return true
	})
	b.changes = slices.Grow(b.changes, len(gone)+len(wanted))
	for _, key := range gone {
		s.put(v, s.stage(v, op[K, T]{kind: opDelete, key: key, hash: s.hash(key)}), b)
	}
	s.staged.known = known
	for i, obj := range b.objs {
		w := &wanted[i]
		o := op[K, T]{kind: opSet, key: w.key, hash: w.hash, obj: obj}
		if w.slot == noSlot {
			st := s.stage(v, o)
			known[st.slot] = st.hash
			s.put(v, st, b)
			continue
		}
		// What was found stays in its slot: nothing that is wanted is deleted.
		s.put(v, s.stageAt(v, o, w.slot), b)
	}
}
