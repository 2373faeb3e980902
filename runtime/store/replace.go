// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// replaceAll deletes every object that is missing from b.objs, unless b keeps it or it belongs to
// another stream only. Then it sets b.objs.
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
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!b.hasSource || s.sources.Has(slot, b.sourceID)) {
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
			if w.slot = s.slotOf(v, w); w.slot != noSlot { // the key is twice in objs
				s.insertDeferred(v)
			}
		}
		// The slot found by findAll is still valid: the deletions above do not touch objects that the
		// list contains.
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

// insertion is an index value and the slot to insert under it.
type insertion[V comparable] struct {
	value V
	hash  uint64
	slot  uint32
}

// deferInsert defers the insertions of a new object of a Replace, so that the buckets of several
// are looked up together. Looking up one after the other took a third of a first Replace.
// Ordered indexes do not defer insertions.
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

// insertDeferred does the deferred insertions, each step for all of them; see findAll.
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
			b.Add(p.hash, p.value, p.slot) // fails for ordered indexes only
		}
	}
	clear(x.deferred)
	x.deferred = x.deferred[:0]
}

// trim releases the spare room of postings that were appended to.
func (x *index[K, T, V]) trim(v *version[K, T]) {
	if !x.pushed {
		return
	}
	x.pushed = false
	x.own(v).Trim()
}

// insertDeferred does the deferred insertions of all indexes. It must run before an object with
// deferred insertions is written again.
func (s *Store[K, T]) insertDeferred(v *version[K, T]) {
	for _, x := range s.indexers {
		x.insertDeferred(v)
	}
}
