// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inplace has the objects of a batch that replace others where those are.
package inplace

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// Max is how many objects of a batch are put in place while readers wait, some
// nanoseconds for each.
const Max = 1000

// Write is an object of a batch that replaces the one in slot, and has not yet.
type Write[K comparable, T any] struct {
	slot uint32
	next uint16 // in the list, and one: another whose slot hashes alike; 0: none
	dead bool   // the object has been deleted since
	Key  K
	Obj  T

	// Where it and its key go, once the batch is complete; nil if keys are not kept.
	at    *T
	keyAt *K
}

// Writes are what the batch that is being applied has yet to put in place. To write
// an object where it belongs takes a copy of the chunk, for no reader may see a part of
// the batch. So the first objects that replace others wait until the batch is published,
// and are then stored under the gate, in the chunks themselves: a batch of updates
// copies none, unless a reader has taken them.
type Writes[K comparable, T any] struct {
	list []Write[K, T]
	// heads has by hash of slot where in the list the last is that hashes so, and one; 0:
	// there is none.
	heads [256]uint16
}

func (e *Writes[K, T]) head(slot uint32) *uint16 { return &e.heads[hash(slot)>>56] }

// Find returns what slot is to hold, or nil.
func (e *Writes[K, T]) Find(slot uint32) *Write[K, T] {
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

// Add adds the write of an object to slot, which has none.
func (e *Writes[K, T]) Add(slot uint32, key K, obj T) {
	x := Write[K, T]{slot: slot, Key: key, Obj: obj}
	head := e.head(x.slot)
	x.next = *head
	e.list = append(e.list, x)
	*head = uint16(len(e.list)) //nolint:gosec // at most maxExchanges
}

// Drop forgets what slot was to hold, if anything.
func (e *Writes[K, T]) Drop(slot uint32) {
	if x := e.Find(slot); x != nil {
		x.dead = true
	}
}

// Expect makes room for n of them.
func (e *Writes[K, T]) Expect(n int) { e.list = slices.Grow(e.list, min(n, Max)) }

// Reset forgets all, and keeps the memory if it is little.
func (e *Writes[K, T]) Reset() {
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

// Locate finds where in v each goes, and reads what is there, so that no reader has to
// wait for memory later on.
func (e *Writes[K, T]) Locate(vec *slots.Vector[K, T]) {
	for i := range e.list {
		x := &e.list[i]
		if x.dead {
			continue
		}
		ch, n := vec.ChunkOf(x.slot), x.slot&(slots.ChunkSize-1)
		x.at = &ch.Objs[n]
		if ch.Keys != nil {
			x.keyAt = &ch.Keys[n]
		}
		slots.Touch(x.at)
	}
}

// Do puts them in place, in the version that they were located in. The caller holds the
// gate.
func (e *Writes[K, T]) Do() {
	for i := range e.list {
		x := &e.list[i]
		if x.dead {
			continue
		}
		*x.at = x.Obj
		if x.keyAt != nil {
			*x.keyAt = x.Key
		}
	}
}

// Len returns how many there are, dropped ones included.
func (e *Writes[K, T]) Len() int { return len(e.list) }

// Each calls f with each that has not been dropped.
func (e *Writes[K, T]) Each(f func(slot uint32, key K, obj T)) {
	for i := range e.list {
		if x := &e.list[i]; !x.dead {
			f(x.slot, x.Key, x.Obj)
		}
	}
}

func hash(slot uint32) uint64 { return uint64(slot) * 0x9e3779b97f4a7c15 }
