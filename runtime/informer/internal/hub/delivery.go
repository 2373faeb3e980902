// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type reader[T any] = store.Reader[types.NamespacedName, T]

// Delivery holds changes that come at once. The inboxes own its Changes together. Old of a change is the state
// of which the handler was last notified.
type Delivery[T metav1.Object] struct {
	Changes  []store.Change[T]
	List     bool // the changes are from a list
	Initial  bool // they are part of the initial list of handlers
	Last     bool // the initial list ends with them: the informer has synced
	Released bool // a part of the source was removed

	came int64 // see Hub.Now

	// after is a snapshot of the store. It holds the changes that were put, these included, and no others.
	after reader[T]
	// whole means that Changes is made of all objects of after when it is delivered: the initial list of a late
	// handler, which comes first, or a resync.
	whole, resync bool

	free bool // of a lossless: does not count toward the limit
}

// len returns the number of changes.
func (d *Delivery[T]) len() int {
	if d.whole {
		return d.after.Len()
	}
	return len(d.Changes)
}

// read returns the changes of a whole snapshot.
func (d *Delivery[T]) read() []store.Change[T] {
	changes := make([]store.Change[T], 0, d.after.Len())
	for obj := range d.after.All() {
		c := store.Change[T]{New: obj, Type: store.Added}
		if d.resync {
			c.Old, c.Type = obj, store.Updated
		}
		changes = append(changes, c)
	}
	return changes
}
