// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/binary"
	"slices"
)

// From says that the batch comes from stream, one of several sources that the store
// is fed by, each of which knows a part of what exists; "" is a stream too. Then a
// Replace deletes only what no other stream has, a Delete as well, and the
// resourceVersion is that of the stream, as [Reader.ResourceVersionOf] tells it.
//
// What several streams have is stored once. older says whether of two states of such
// an object the first is known to come before the second: then it is not stored over
// it, unless the batch rewinds. So the slower of two streams does not take back what
// the faster has told. older is asked while other writers wait, as index functions
// are, and must not panic.
func (b *Batch[K, T]) From(stream string, older func(a, b T) bool) {
	b.streamed, b.stream, b.older = true, stream, older
}

// Leave has the batch end the stream that it is from: what no other stream has is
// deleted, and its resourceVersion is forgotten. It must be the only write of its
// batch.
func (b *Batch[K, T]) Leave() { b.Replace(nil); b.leave = true }

// owners knows which streams have which object. A store that is fed by one source has
// none. It is guarded by Store.write.
//
// Of each slot it keeps the number of a set of streams. There are few such sets: as a
// rule one for each stream, and some more while streams overlap.
type owners struct {
	ids   map[string]uint32 // of streams that have a name; 0 is the one without
	spent []uint32          // ids that can be given again
	lives uint64            // how many streams there have been

	of      []uint32   // by slot, as far as one is not 0
	sets    [][]uint32 // by number: ids in order, nil if the number is free
	slots   []int      // by number: how many slots have it; not of unnamed
	numbers map[string]uint32
}

// unnamed is the number of the set of just the stream without a name, and of the
// objects that no stream has said to have.
const unnamed = 0

func newOwners() *owners {
	o := &owners{ids: map[string]uint32{"": 0}, numbers: make(map[string]uint32)}
	o.number([]uint32{0})
	return o
}

// enter sets b.id and b.life. The caller holds write.
func (s *Store[K, T]) enter(b *Batch[K, T]) {
	if !b.streamed {
		return
	}
	if s.owners == nil {
		s.owners = newOwners()
	}
	o := s.owners
	id, ok := o.ids[b.stream]
	if !ok {
		id = uint32(len(o.ids) + len(o.spent))
		if n := len(o.spent); n > 0 {
			id = o.spent[n-1]
			o.spent = o.spent[:n-1]
		}
		o.ids[b.stream] = id
		o.lives++
	}
	b.id, b.life = id, o.lives
}

// admit notes what a staged write says about whose the object is, and reports whether
// it is to be done.
func (s *Store[K, T]) admit(st *staged[K, T], b *Batch[K, T]) bool {
	if !b.streamed {
		return true
	}
	switch {
	case st.kind == opSet && !st.had:
		s.owners.put(st.slot, s.owners.number([]uint32{b.id}))
		return true
	case st.kind == opDelete:
		return st.had && !s.owners.drop(st.slot, b.id)
	case !st.had:
		return false
	}
	shared := s.owners.add(st.slot, b.id)
	return st.kind == opKeep || !shared || b.rewind || b.older == nil || !b.older(st.obj, st.old)
}

// put stages a write and does it, if it is to be done.
func (s *Store[K, T]) put(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// left ends the stream of b, which has no objects any more.
func (s *Store[K, T]) left(v *version[K, T], b *Batch[K, T]) {
	v.forget(b.id)
	o := s.owners
	if b.id == 0 {
		return
	}
	delete(o.ids, b.stream)
	o.spent = append(o.spent, b.id)
}

// owned returns which sets have the stream of b, by their number; nil means all.
func (s *Store[K, T]) owned(b *Batch[K, T]) []bool {
	if !b.streamed {
		return nil
	}
	has := make([]bool, len(s.owners.sets))
	for n, members := range s.owners.sets {
		has[n] = slices.Contains(members, b.id)
	}
	return has
}

// at returns the number of the set of streams that have the object in slot.
func (o *owners) at(slot uint32) uint32 {
	if o == nil || int(slot) >= len(o.of) {
		return unnamed
	}
	return o.of[slot]
}

// put has a slot have a set by its number. A set that no slot has is forgotten: as streams
// come to overlap in ever other ways, there would be ever more.
func (o *owners) put(slot, number uint32) {
	had := o.at(slot)
	if had == number {
		return
	}
	for int(slot) >= len(o.of) {
		o.of = append(o.of, unnamed)
	}
	o.of[slot] = number
	o.slots[number]++
	if o.slots[had]--; had != unnamed && o.slots[had] == 0 {
		delete(o.numbers, nameOf(o.sets[had]))
		o.sets[had] = nil
	}
}

// add notes that a stream has the object in slot, and reports whether others do.
func (o *owners) add(slot, id uint32) (others bool) {
	members := o.sets[o.at(slot)]
	at, has := slices.BinarySearch(members, id)
	if !has {
		members = slices.Insert(slices.Clone(members), at, id)
		o.put(slot, o.number(members))
	}
	return len(members) > 1
}

// drop notes that a stream no longer has the object in slot, and reports whether
// others do. If none does, the object is to be deleted.
func (o *owners) drop(slot, id uint32) (others bool) {
	members := o.sets[o.at(slot)]
	at, has := slices.BinarySearch(members, id)
	if has && len(members) > 1 {
		o.put(slot, o.number(slices.Delete(slices.Clone(members), at, at+1)))
	}
	return !has || len(members) > 1
}

// number returns the number of a set, which it keeps.
func (o *owners) number(members []uint32) uint32 {
	name := nameOf(members)
	if n, ok := o.numbers[name]; ok {
		return n
	}
	n := slices.IndexFunc(o.sets, func(s []uint32) bool { return s == nil })
	if n < 0 {
		n = len(o.sets)
		o.sets, o.slots = append(o.sets, nil), append(o.slots, 0)
	}
	o.sets[n] = members
	o.numbers[name] = uint32(n)
	return uint32(n)
}

func nameOf(members []uint32) string {
	var b []byte
	for _, id := range members {
		b = binary.LittleEndian.AppendUint32(b, id)
	}
	return string(b)
}
