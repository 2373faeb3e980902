// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// replaceAll deletes what is neither in b.objs nor kept, nor another stream's, then sets
// b.objs.
func (s *Store[K, T]) replaceAll(v *version[K, T], b *Batch[K, T], wanted []located[K]) {
	s.findAll(v, wanted)
	keep := make([]uint64, s.next/64+1)
	for i := range wanted {
		if slot := wanted[i].slot; slot != noSlot {
			keep[slot/64] |= 1 << (slot % 64)
		}
	}
	for i := range b.ops {
		if o := &b.ops[i]; o.kind == opKeep {
			if slot, ok := s.find(v, o.hash, o.key); ok {
				keep[slot/64] |= 1 << (slot % 64)
			}
		}
	}
	known := make([]uint64, int(s.next)+len(wanted))
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
		if i%prefetchSize == 0 {
			n := min(prefetchSize, len(b.objs)-i)
			for j := range n {
				s.upcoming.objs[j] = &b.objs[i+j]
			}
			s.prefetch(n)
		}
		w := &wanted[i]
		o := &op[K, T]{kind: opSet, key: w.key, hash: w.hash, obj: obj}
		if w.slot == noSlot {
			if w.slot = s.slotOf(v, w); w.slot != noSlot { // objs has this key twice
				s.insertDeferred(v)
			}
		}
		// What was found stays in its slot: nothing that is wanted is deleted.
		st := s.stageAt(v, o, w.slot, i%prefetchSize)
		known[st.slot] = st.hash
		s.put(v, st, b)
	}
	s.insertDeferred(v)
	for _, x := range s.indexers {
		x.trim(v)
	}
	s.staged.known, s.replacing = nil, false
}

// placing is a slot, and the value that it is to be put under.
type insertion[V comparable] struct {
	value V
	hash  uint64
	slot  uint32
}

// postpone notes where the new object of a Replace goes, in place of commit, so that the
// buckets of several can be looked up together: more than a third of a first Replace
// went into looking up one after the other. An ordered index, where other nodes than
// those of one bucket are read, does not.
func (x *index[K, T, V]) deferInsert(v *version[K, T], slot uint32) bool {
	if !x.store.replacing || x.order != nil {
		return false
	}
	for i, value := range x.newValues.Values {
		x.deferred = append(x.deferred, insertion[V]{value, x.newValues.Hashes[i], slot})
		if len(x.deferred) == prefetchSize {
			x.insertDeferred(v)
		}
	}
	return true
}

// catchUp does what was postponed. See lookahead for its steps.
func (x *index[K, T, V]) insertDeferred(v *version[K, T]) {
	if len(x.deferred) == 0 {
		return
	}
	b := x.own(v)
	var under [prefetchSize]*posting.Bucket[V]
	for i := range x.deferred {
		under[i] = b.Likely(x.deferred[i].hash)
	}
	for i, e := range under[:len(x.deferred)] {
		if e != nil && e.Value != x.deferred[i].value {
			under[i] = nil
		} else if e != nil {
			e.Posting.Touch()
		}
	}
	for i := range x.deferred {
		p := &x.deferred[i]
		if e := under[i]; e != nil && b.Push(e, p.slot) {
			x.pushed = true
		} else {
			b.Add(p.hash, p.value, p.slot) // it fails in ordered indexes only
		}
	}
	clear(x.deferred)
	x.deferred = x.deferred[:0]
}

// trim has postings that were pushed to leave as much room as others.
func (x *index[K, T, V]) trim(v *version[K, T]) {
	if !x.pushed {
		return
	}
	x.pushed = false
	x.own(v).Trim()
}

// catchUp has every index do what it has postponed. An object of which an index may
// have must not be written again before.
func (s *Store[K, T]) insertDeferred(v *version[K, T]) {
	for _, x := range s.indexers {
		x.insertDeferred(v)
	}
}
