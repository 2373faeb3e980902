// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// maxExchanges is how many objects of a batch are put in place while readers wait, some
// nanoseconds for each.
const maxExchanges = 1000

// exchange is an object of a batch that replaces the one in slot, and has not yet.
type exchange[K comparable, T any] struct {
	slot uint32
	next uint16 // in the list, and one: another whose slot hashes alike; 0: none
	dead bool   // the object has been deleted since
	key  K
	obj  T

	// Where it and its key go, once the batch is complete; nil if keys are not kept.
	at    *T
	keyAt *K
}

// exchanges are what the batch that is being applied has yet to put in place. To write
// an object where it belongs takes a copy of the chunk, for no reader may see a part of
// the batch. So the first objects that replace others wait until the batch is published,
// and are then stored under the gate, in the chunks themselves: a batch of updates
// copies none, unless a reader has taken them.
type exchanges[K comparable, T any] struct {
	list []exchange[K, T]
	// heads has by hash of slot where in the list the last is that hashes so, and one; 0:
	// there is none.
	heads [256]uint16
}

func (e *exchanges[K, T]) head(slot uint32) *uint16 { return &e.heads[slotHash(slot)>>56] }

// find returns what slot is to hold, or nil.
func (e *exchanges[K, T]) find(slot uint32) *exchange[K, T] {
	if len(e.list) == 0 {
		return nil
	}
	for i := *e.head(slot); i > 0; i = e.list[i-1].next {
		if x := &e.list[i-1]; x.slot == slot && !x.dead {
			return x
		}
	}
	return nil
}

func (e *exchanges[K, T]) add(x exchange[K, T]) {
	head := e.head(x.slot)
	x.next = *head
	e.list = append(e.list, x)
	*head = uint16(len(e.list)) //nolint:gosec // at most maxExchanges
}

// drop forgets what slot was to hold, if anything.
func (e *exchanges[K, T]) drop(slot uint32) {
	if x := e.find(slot); x != nil {
		x.dead = true
	}
}

// expect makes room for n of them.
func (e *exchanges[K, T]) expect(n int) { e.list = slices.Grow(e.list, min(n, maxExchanges)) }

// reset forgets all, and keeps the memory if it is little.
func (e *exchanges[K, T]) reset() {
	for i := range e.list {
		*e.head(e.list[i].slot) = 0
	}
	if cap(e.list) > 100 {
		e.list = nil
		return
	}
	clear(e.list)
	e.list = e.list[:0]
}

// heldIn returns the object in a slot of v as the batch has left it so far.
func (s *Store[K, T]) heldIn(v *version[K, T], slot uint32) T {
	if x := s.exchanges.find(slot); x != nil {
		return x.obj
	}
	return v.slots.At(slot)
}

// exchange has the staged object put in place when v is published, if it replaces one,
// no reader has taken the chunk, and there are not too many. A Replace has no use for
// that: it fills the chunks that it copies.
func (s *Store[K, T]) exchange(v *version[K, T], st *staged[K, T]) bool {
	e := &s.exchanges
	if !st.had || v == s.current || s.replacing {
		return false
	}
	if x := e.find(st.slot); x != nil {
		x.key, x.obj = st.key, st.obj
		return true
	}
	if len(e.list) >= maxExchanges || s.shared.Load() {
		return false
	}
	if made := v.slots.ChunkOf(st.slot).Owner; made <= s.frozen || made == v.owner {
		return false
	}
	e.add(exchange[K, T]{slot: st.slot, key: st.key, obj: st.obj})
	return true
}

// locate finds where in v each goes, and reads what is there, so that no reader has to
// wait for memory later on.
func (e *exchanges[K, T]) locate(v *version[K, T]) {
	for i := range e.list {
		x := &e.list[i]
		if x.dead {
			continue
		}
		ch, n := v.slots.ChunkOf(x.slot), x.slot&(slots.ChunkSize-1)
		x.at = &ch.Objs[n]
		if ch.Keys != nil {
			x.keyAt = &ch.Keys[n]
		}
		touch(x.at)
	}
}

// do puts them in place, in the version that they were located in. The caller holds the
// gate.
func (e *exchanges[K, T]) do() {
	for i := range e.list {
		x := &e.list[i]
		if x.dead {
			continue
		}
		*x.at = x.obj
		if x.keyAt != nil {
			*x.keyAt = x.key
		}
	}
}

// giveUp sets each in v as any other object, in a copy of its chunk: a reader has taken
// the chunks.
func (s *Store[K, T]) giveUp(v *version[K, T]) {
	for i := range s.exchanges.list {
		x := &s.exchanges.list[i]
		if x.dead {
			continue
		}
		v.slots.Set(v.owner, s.above(v), x.slot, x.obj, x.key, !s.derive)
	}
	s.exchanges.reset()
}

// touch has what p points to read.
//
//go:noinline
func touch[T any](p *T) T { return *p }
