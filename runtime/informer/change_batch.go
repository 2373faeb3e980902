// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// ChangeType is what happened to an object.
type ChangeType uint8

// The types of changes.
const (
	Added   ChangeType = iota // Handler.OnAdd
	Updated                   // Handler.OnUpdate
	Deleted                   // Handler.OnDelete
)

// String returns "added", "updated" or "deleted".
func (t ChangeType) String() string {
	switch t {
	case Added:
		return "added"
	case Updated:
		return "updated"
	case Deleted:
		return "deleted"
	}
	return fmt.Sprintf("ChangeType(%d)", uint8(t))
}

// Change is what happened to one object: what a [Handler] is told by one call. Objects
// are shared and must not be changed.
type Change[T metav1.Object] struct {
	Type ChangeType
	// Object is the new state; of a deletion, the final one, or the last that was seen.
	Object T
	// Old is the state that the consumer was told last. An addition has none.
	Old T
	// InInitialList is set on additions of what existed when the consumer began or, if
	// the informer had not listed by then, when it first did.
	InInitialList bool
	// FinalStateUnknown is set if the deletion itself was not seen.
	FinalStateUnknown bool
	// Left is set if the object may still exist, in a source that was removed.
	Left bool
}

// Key returns the key of the object.
func (c Change[T]) Key() types.NamespacedName { return store.KeyOf(c.Object) }

// Tombstone returns what is known of the deleted object, if the change is a deletion.
func (c Change[T]) Tombstone() Tombstone[T] {
	return Tombstone[T]{Key: c.Key(), Object: c.Object, Last: c.Old, FinalStateUnknown: c.FinalStateUnknown, Left: c.Left}
}

// Tell makes the call of h that tells of the change.
func (c Change[T]) Tell(h Handler[T]) {
	switch c.Type {
	case Added:
		h.OnAdd(c.Object, c.InInitialList)
	case Updated:
		h.OnUpdate(c.Old, c.Object)
	case Deleted:
		h.OnDelete(c.Tombstone())
	}
}

// Batch is what happened to the store at once, or, to a consumer that coalesces, since
// the batch before. It can be ranged over any number of times, and kept. The zero value
// is empty.
type Batch[T metav1.Object] struct {
	changes []change[T]
	objs    []T  // of a replay, instead
	again   bool // objs are replayed as updates to themselves
	initial bool // all of it belongs to the initial list
	last    bool
}

// Len returns how many changes the batch has. It may have none, if all it has to tell is
// Synced.
func (b Batch[T]) Len() int { return len(b.changes) + len(b.objs) }

// Synced reports whether the initial list is complete with this batch, which is said of
// one batch. There may be no more than one before it, unless the informer has several
// sources.
func (b Batch[T]) Synced() bool { return b.last }

// All yields the changes, in order.
func (b Batch[T]) All() iter.Seq[Change[T]] {
	return func(yield func(Change[T]) bool) {
		for i := range b.changes {
			c := &b.changes[i]
			out := Change[T]{Object: c.new, Old: c.old, InInitialList: c.kind == added && (b.initial || c.initial)}
			switch c.kind {
			case added:
			case updated:
				out.Type = Updated
			default:
				out.Type, out.Left = Deleted, c.kind == released
				out.FinalStateUnknown = c.kind == deletedUnseen || out.Left
			}
			if !yield(out) {
				return
			}
		}
		for _, obj := range b.objs {
			out := Change[T]{Object: obj, InInitialList: true}
			if b.again {
				out = Change[T]{Type: Updated, Object: obj, Old: obj}
			}
			if !yield(out) {
				return
			}
		}
	}
}
