// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Change is what one write of a batch did to one object. Old is the object before that write; an Added
// has none. New is the object after it. Of a Deleted, New is the final state or, with a Cause, Old. An
// informer passes changes on to its handlers, so a Change has no key, and no more than four fields:
// larger structs are not passed in registers.
type Change[T any] struct {
	Old, New T
	Type     ChangeType
	Cause    Cause // of a Deleted
}

// ChangeType is the type of a [Change].
type ChangeType uint8

// The types of changes.
const (
	Added ChangeType = iota + 1
	Updated
	Deleted
)

// String returns the name of the constant.
func (t ChangeType) String() string {
	return [...]string{Added: "Added", Updated: "Updated", Deleted: "Deleted"}[t]
}

// Cause says why the final state of a deleted object is unknown. The zero value means that it is known.
type Cause uint8

const (
	// FinalStateUnknown means that the deletion was not observed, or that the final state could not be
	// decoded.
	FinalStateUnknown Cause = iota + 1
	// SourceRemoved means that the part of the source that had the object was removed. The object may
	// still exist.
	SourceRemoved
)

// lost returns the deletion of an object whose final state is unknown. last is its last known state.
func lost[T any](last T, why Cause) Change[T] {
	return Change[T]{Old: last, New: last, Type: Deleted, Cause: why}
}
