// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Change is what one write of a batch did to one object. Old is the object before that write; an Added
// has none. New is the object after it. Of a Deleted, New is the final state or, with a Cause, Old. An
// informer passes changes on to its handlers, so a Change has no key, and no more than four fields:
// larger structs are not passed in registers.
type Change[T any] struct {
	Old, New T
	Type     delta.Type // Added, Updated or Deleted
	Cause    Cause      // of a Deleted
}

// Cause says why the final state of a deleted object is unknown. The zero value means that it is known.
type Cause uint8

const (
	// FinalStateUnknown means that the deletion was not observed, or that the final state could not be
	// decoded.
	FinalStateUnknown Cause = iota + 1
	// SourceRemoved means that the part of the source that had the object was removed. The object may still exist.
	SourceRemoved
)

// Difference says how a new object differs from the one that the store has under its key. See
// [Batch.Compare].
type Difference uint8

const (
	// Changed means that the new object is another state of the old one.
	Changed Difference = iota
	// Unchanged means that the new object is the same state of the old one.
	Unchanged
	// Recreated means that the old object is gone, and the new one was created with its key.
	Recreated
)

// CompareObjects is the comparison of informers, for [Batch.Compare]. Objects of different UIDs are
// Recreated. Objects of one resourceVersion are Unchanged if they are also equal: a server that was
// restored from a backup assigns a resourceVersion twice. Objects without UIDs are never Recreated, and
// those without a resourceVersion are never Unchanged.
func CompareObjects[T metav1.Object](old, new T) Difference {
	switch was, is := old.GetUID(), new.GetUID(); {
	case was != is && was != "" && is != "":
		return Recreated
	case accessor.Unchanged(old, new):
		return Unchanged
	}
	return Changed
}

// Lost returns the deletion of an object whose final state is unknown. last is its last known state.
func Lost[T any](last T, why Cause) Change[T] {
	return Change[T]{Old: last, New: last, Type: delta.Deleted, Cause: why}
}
