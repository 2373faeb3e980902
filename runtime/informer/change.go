// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type kind uint8

const (
	added         kind = iota
	updated            // from old to new
	deleted            // old was told last, new is the final state
	deletedUnseen      // old was told last, new is the last state that was seen
	released           // as deletedUnseen, and the object may exist: its source was removed
)

// change is what handlers are told about one object, once.
type change[T any] struct {
	old, new T
	kind     kind
	initial  bool // of the initial list; set only in a Batch that coalesces
}

// about returns a state of the object that c is about.
func (c *change[T]) about() T {
	if c.kind == added {
		return c.new
	}
	return c.old
}

// call makes the handler's call for c.
func call[T metav1.Object](h Handler[T], c change[T], inInitialList bool) {
	switch c.kind {
	case added:
		h.OnAdd(c.new, inInitialList)
	case updated:
		h.OnUpdate(c.old, c.new)
	case deleted:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.old), Object: c.new, Last: c.old})
	case deletedUnseen:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.old), Object: c.new, Last: c.old, FinalStateUnknown: true})
	case released:
		h.OnDelete(Tombstone[T]{Key: store.KeyOf(c.old), Object: c.new, Last: c.old, FinalStateUnknown: true, Left: true})
	}
}

// changesOf returns what handlers are to be told of a batch, given what it did to the
// store. What a list, or a watch that repeats itself, has found unchanged is nothing
// to tell.
func changesOf[T metav1.Object](b *queue.Batch[types.NamespacedName, T], done []store.Change[types.NamespacedName, T]) []change[T] {
	out := make([]change[T], 0, len(done))
	next := 0 // the delta that comes after those that were looked at
	var became [together]comparison
	for n := range done {
		c := &done[n]
		if n%together == 0 {
			compare(done[n:min(n+together, len(done))], &became)
		}
		var from *queue.Delta[types.NamespacedName, T] // that the change comes from
		if !b.Replace {                                // those of a list need not be found
			from, next = madeBy(b, next, c)
		}
		switch {
		case c.HasNew && !c.HadOld:
			out = append(out, change[T]{new: c.New, kind: added})
		case c.HasNew:
			out = appendUpdate(out, c.Old, c.New, became[n%together])
		case from == nil || from.NoObject || from.FinalStateUnknown || another(c.Old, from.Object):
			out = append(out, change[T]{old: c.Old, new: c.Old, kind: deletedUnseen})
		default:
			out = append(out, change[T]{old: c.Old, new: from.Object, kind: deleted})
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// madeBy returns the delta, at next or after it, that made the change c, and where to go
// on. Every delta with an object makes a change; one that deletes need not.
func madeBy[T any](b *queue.Batch[types.NamespacedName, T], next int, c *store.Change[types.NamespacedName, T]) (*queue.Delta[types.NamespacedName, T], int) {
	for ; next < len(b.Deltas); next++ {
		d := &b.Deltas[next]
		if d.Key == c.Key && d.Type != queue.Stale && d.Type != queue.Sync && (d.Type == queue.Deleted) != c.HasNew {
			return d, next + 1
		}
	}
	return nil, next
}

// appendUpdate appends what happened when old became new: nothing, an update, or, if
// they are two objects of one name, a deletion that was not seen, and an addition.
func appendUpdate[T metav1.Object](out []change[T], old, new T, found comparison) []change[T] {
	switch {
	case found.another:
		return append(out, change[T]{old: old, new: old, kind: deletedUnseen}, change[T]{new: new, kind: added})
	case found.oneVersion && equal(old, new):
		return out
	}
	return append(out, change[T]{old: old, new: new, kind: updated})
}
