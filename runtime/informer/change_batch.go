// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
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
type Batch[T metav1.Object] struct{ b inbox.Batch[T] }

// Len returns the number of changes. It may be 0 if Synced is true.
func (b Batch[T]) Len() int { return len(b.b.Changes) }

// Synced reports whether this batch completes the initial list. It is true for one batch.
func (b Batch[T]) Synced() bool { return b.b.Last }

// All yields the changes, in order.
func (b Batch[T]) All() iter.Seq[Change[T]] {
	return func(yield func(Change[T]) bool) {
		for i := range b.b.Changes {
			c := &b.b.Changes[i]
			out := Change[T]{Object: c.New, Old: c.Old}
			switch c.Kind {
			case inbox.Added:
				out.InInitialList = b.b.Initial || c.Initial
			case inbox.Updated:
				out.Type = Updated
			default:
				out.Type, out.Left = Deleted, c.Kind == inbox.Released
				out.FinalStateUnknown = c.Kind == inbox.DeletedUnseen || out.Left
			}
			if !yield(out) {
				return
			}
		}
	}
}
