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

// ChangeType is the type of a change.
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

// Change is a change of one object. It corresponds to one call of a [Handler]. Objects are shared
// and must not be modified.
type Change[T metav1.Object] struct {
	Type ChangeType
	// Object is the new state. For a deletion it is the final state or, with
	// FinalStateUnknown, the last known state.
	Object T
	// Old is the state of which this loop was last notified. An addition has none.
	Old T
	// InInitialList is set on additions of the initial list; see Registration.Synced.
	InInitialList bool
	// FinalStateUnknown is set if the deletion itself was not observed.
	FinalStateUnknown bool
	// Left is set if the object was in a source that was removed. It may still exist.
	Left bool
}

// Key returns the key of the object.
func (c Change[T]) Key() types.NamespacedName { return store.KeyOf(c.Object) }

// Batch holds the changes of one batch of the store or, with WithCoalescing, all changes since
// the previous Batch. It may be kept, and ranged over more than once. The zero value is empty.
type Batch[T metav1.Object] struct {
	changes []change[T]
	objs    []T  // of a replay, instead
	again   bool // objs are replayed as updates to themselves
	initial bool // all of it belongs to the initial list
	last    bool
}

// Len returns the number of changes. It may be 0 if Synced is true.
func (b Batch[T]) Len() int { return len(b.changes) + len(b.objs) }

// Synced reports whether this batch completes the initial list. It is true for one batch.
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
