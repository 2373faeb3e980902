// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

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
	var gone []uint32
	v.slots.Each(func(slot uint32, _ *slots.Chunk[K, T]) bool {
		if b.incomplete {
			return false
		}
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!b.streamed || s.streams.Has(slot, b.id)) {
			gone = append(gone, slot)
		}
		return true
	})
	b.changes = slices.Grow(b.changes, len(gone)+len(wanted))
	for _, slot := range gone {
		key := s.keyAt(v, slot)
		s.put(v, s.stageAt(v, &op[K, T]{kind: opDelete, key: key, hash: s.hash(key)}, slot, unasked), b)
	}
	s.staged.known, s.replacing = known, true
	for i, obj := range b.objs {
		if i%lookahead == 0 {
			n := min(lookahead, len(b.objs)-i)
			for j := range n {
				s.coming.objs[j] = &b.objs[i+j]
			}
			s.askAhead(n)
		}
		w := &wanted[i]
		o := &op[K, T]{kind: opSet, key: w.key, hash: w.hash, obj: obj}
		if w.slot == noSlot {
			if w.slot = s.slotOf(v, w); w.slot != noSlot { // objs has this key twice
				s.catchUp(v)
			}
		}
		// What was found stays in its slot: nothing that is wanted is deleted.
		st := s.stageAt(v, o, w.slot, i%lookahead)
		known[st.slot] = st.hash
		s.put(v, st, b)
	}
	s.catchUp(v)
	for _, x := range s.indexers {
		x.trim(v)
	}
	s.replacing = false
	s.staged.known = nil // what the batch goes on to delete leaves its slot to another key
}
