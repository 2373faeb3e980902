// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package inplace has the objects of a batch that replace others in place.
package inplace

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// Max is the most objects of a batch that are written in place. Readers wait some nanoseconds
// for each.
const Max = 1000

// Write is a pending write of an object to a slot.
type Write[K comparable, T any] struct {
	slot uint32
	next uint16 // index plus one of the next write with the same hash; 0: none
	dead bool   // the object was deleted later in the batch
	Key  K
	Obj  T

	// Set by Locate.
	at    *T
	keyAt *K // nil if keys are not stored
}

// Writes has the pending writes of the current batch. Readers must not see a part of the batch,
// so to write an object at once the store would have to copy its chunk. Writes delays up to Max
// replacements until the batch is published, and does them behind the gate in the chunks
// themselves. So a batch of updates copies no chunks that no reader has taken.
type Writes[K comparable, T any] struct {
	list []Write[K, T]
	// heads has the index plus one of the last write in list, by hash of its slot; 0: none.
	heads [256]uint16
}

func (e *Writes[K, T]) head(slot uint32) *uint16 { return &e.heads[hash(slot)>>56] }

// Find returns the pending write to slot, or nil.
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

// Add adds a write to slot, which has no pending write.
func (e *Writes[K, T]) Add(slot uint32, key K, obj T) {
	x := Write[K, T]{slot: slot, Key: key, Obj: obj}
	head := e.head(x.slot)
	x.next = *head
	e.list = append(e.list, x)
	*head = uint16(len(e.list)) //nolint:gosec // at most Max
}

// Drop drops the pending write to slot, if any.
func (e *Writes[K, T]) Drop(slot uint32) {
	if x := e.Find(slot); x != nil {
		x.dead = true
	}
}

// Expect makes room for n writes.
func (e *Writes[K, T]) Expect(n int) { e.list = slices.Grow(e.list, min(n, Max)) }

// Reset drops all writes. It keeps the memory if it is little.
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

// Locate finds the places in vec and reads them, so that readers do not wait for cache misses
// in Do.
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

// Do does the writes in the version of Locate. The caller has locked the gate.
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

// Len returns the number of writes, dropped ones included.
func (e *Writes[K, T]) Len() int { return len(e.list) }

// Each calls f with each write that was not dropped.
func (e *Writes[K, T]) Each(f func(slot uint32, key K, obj T)) {
	for i := range e.list {
		if x := &e.list[i]; !x.dead {
			f(x.slot, x.Key, x.Obj)
		}
	}
}

func hash(slot uint32) uint64 { return uint64(slot) * 0x9e3779b97f4a7c15 }
