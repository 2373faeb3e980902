// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Change is a change of one object, of which each handler is notified once. Old is the state of
// which the handler was last notified; an Added has none. New of a Deleted is the final state or, with
// FinalStateUnknown, the last known state.
type Change[T any] struct {
	Old, New          T
	Type              queue.Type // Added, Updated or Deleted
	FinalStateUnknown bool
	SourceRemoved     bool // the object may still exist
}

// Lost returns the deletion of an object whose final state is unknown.
func Lost[T any](last T, sourceRemoved bool) Change[T] {
	return Change[T]{
		Old: last, New: last, Type: queue.Deleted, FinalStateUnknown: true, SourceRemoved: sourceRemoved,
	}
}

// About returns a state of the object that c is about.
func (c *Change[T]) About() T {
	if c.Type == queue.Added {
		return c.New
	}
	return c.Old
}

// Another reports whether old and new are two objects of one name, by their UIDs.
func Another[T metav1.Object](old, new T) bool {
	was, is := old.GetUID(), new.GetUID()
	return was != is && was != "" && is != ""
}
