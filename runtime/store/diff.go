// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"math/bits"
	"reflect"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Diff walks the difference of two snapshots of a store. It compares pointers of nodes that the snapshots share, and
// visits the chunks of 32 slots that differ, and in them the slots that were written lately: equal snapshots of
// 100,000 objects take 40 ns, and one change 0.3 µs.
//
// An object has at most one Updated, or a Deleted followed by an Added. It has nothing if it was added and deleted in
// between. Objects are in no particular order. The zero Diff is empty. A Diff is used by one goroutine.
type Diff[T metav1.Object] struct {
	old, new           *version[types.NamespacedName, T]
	includesUnchanged  bool
	nextChunkNumber    int
	oldChunk, newChunk *table.Chunk[types.NamespacedName, T]
	pendingSlots       uint32 // of the chunk, still to be compared
}

// DiffOf returns the changes that lead from old to new, two snapshots of one store. old may be newer than new, and
// either may be the zero Reader. With all, an Updated of each other object is among them, whose Old is New.
//
// Pointers are compared, and values as by a [Feeder]. The final states of deleted objects are unknown.
func DiffOf[T metav1.Object](old, new Reader[types.NamespacedName, T], all bool) Diff[T] {
	return Diff[T]{old: old.version(), new: new.version(), includesUnchanged: all}
}

// Append appends the next changes to dst, until it has at least n. If it has fewer, there are no more.
func (d *Diff[T]) Append(dst []Change[T], n int) []Change[T] {
	for len(dst) < n {
		if d.pendingSlots == 0 {
			if !d.nextChunk() {
				break
			}
			continue
		}
		dst = d.appendSlotChanges(dst, uint32(bits.TrailingZeros32(d.pendingSlots))) //nolint:gosec // of 32
		d.pendingSlots &= d.pendingSlots - 1
	}
	return dst
}

// nextChunk goes to the next chunk that differs, of which no slot may differ. It returns false at the end.
func (d *Diff[T]) nextChunk() bool {
	if d.old == nil {
		return false
	}
	d.nextChunkNumber, d.oldChunk, d.newChunk = table.NextDifference(
		&d.old.Vector, &d.new.Vector, d.nextChunkNumber, d.includesUnchanged)
	d.pendingSlots = table.Differing(d.oldChunk, d.newChunk)
	if d.includesUnchanged {
		d.pendingSlots = d.oldChunk.LiveSlots() | d.newChunk.LiveSlots()
	}
	return d.oldChunk != nil || d.newChunk != nil
}

// appendSlotChanges appends what differs in slot i of the chunk. The object of a key may have moved to another slot: its
// change is appended with the slot that it has in new. So one slot has up to three changes: its object was deleted, and
// another one, which had another slot and another UID, was deleted and created.
func (d *Diff[T]) appendSlotChanges(dst []Change[T], slotInChunk uint32) []Change[T] {
	had, has := d.oldChunk.LiveSlots()>>slotInChunk&1 != 0, d.newChunk.LiveSlots()>>slotInChunk&1 != 0
	if had && has && (isSamePointerOrState(d.oldChunk.Objs[slotInChunk], d.newChunk.Objs[slotInChunk]) ||
		d.old.KeyIn(d.oldChunk, slotInChunk) == d.new.KeyIn(d.newChunk, slotInChunk)) {
		return d.appendUpdateOrRecreate(dst, d.oldChunk.Objs[slotInChunk], d.newChunk.Objs[slotInChunk])
	}
	if had && d.new.slotOf(d.old.KeyIn(d.oldChunk, slotInChunk)) == table.NoSlot {
		dst = append(dst, unobservedDeletion(d.oldChunk.Objs[slotInChunk], FinalStateUnknown))
	}
	if !has {
		return dst
	}
	slot := d.old.slotOf(d.new.KeyIn(d.newChunk, slotInChunk))
	if slot == table.NoSlot {
		return append(dst, Change[T]{New: d.newChunk.Objs[slotInChunk], Type: Added})
	}
	return d.appendUpdateOrRecreate(dst, d.old.At(slot), d.newChunk.Objs[slotInChunk])
}

// appendUpdateOrRecreate appends what differs between two states of one key.
func (d *Diff[T]) appendUpdateOrRecreate(dst []Change[T], before, after T) []Change[T] {
	switch same := isSamePointerOrState(before, after); {
	case same && !d.includesUnchanged:
		return dst
	case !same && isRecreated(before, after):
		return append(dst, unobservedDeletion(before, FinalStateUnknown), Change[T]{New: after, Type: Added})
	}
	return append(dst, Change[T]{Old: before, New: after, Type: Updated})
}

// slotOf returns the slot of key, or NoSlot. v may be the zero version.
func (v *version[K, T]) slotOf(key K) uint32 {
	if v.Len() == 0 {
		return table.NoSlot
	}
	return v.Find(v.Hash(key), key)
}

// isSamePointerOrState reports whether a and b are the same pointer or, if they are none, the same state of an object.
func isSamePointerOrState[T metav1.Object](a, b T) bool {
	if x := any(a); reflect.TypeOf(x).Kind() == reflect.Pointer {
		return x == any(b)
	}
	same, _ := deepCompareObjects(a, b)
	return same
}
