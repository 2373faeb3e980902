// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta

import "fmt"

// Type is the type of a [Delta].
type Type uint8

const (
	// Added means that the source reported the object as created. The object may be known: a
	// watch without a resourceVersion starts with an Added for each existing object.
	Added Type = iota + 1
	// Updated means that the object changed.
	Updated
	// Deleted means that the object is gone.
	Deleted
	// Replaced means that the object is in a complete list. It may be new, changed or unchanged.
	Replaced
	// Sync repeats an unchanged object for a resync.
	Sync
	// Stale means that the new state of the object could not be decoded. The delta has a key
	// and no object. A consumer keeps the older state.
	Stale
	// Kept means that a complete list has the object, and that its known state stays as it is. The
	// delta has a key and no object.
	Kept
)

var typeNames = [...]string{
	Added: "Added", Updated: "Updated", Deleted: "Deleted", Replaced: "Replaced", Sync: "Sync", Stale: "Stale",
	Kept: "Kept",
}

// String returns the name of the constant.
func (t Type) String() string {
	if int(t) < len(typeNames) && typeNames[t] != "" {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Delta is one change of one object.
type Delta[K comparable, T any] struct {
	Type Type
	// FinalStateUnknown is set on a Deleted for an object that was missing from a list.
	// Object is then its last known state, not its final state.
	FinalStateUnknown bool
	// NoObject is set if Object is the zero value: on every Stale and Kept, and on a Deleted without
	// a final state.
	NoObject bool
	Key      K
	Object   T
}

// MergeDeletes merges two consecutive Deleted deltas of one object. It returns the one with the
// final state, or else the newer one.
func MergeDeletes[K comparable, T any](older, newer Delta[K, T]) Delta[K, T] {
	switch {
	case newer.NoObject && !older.NoObject:
		return older
	case newer.FinalStateUnknown && !older.FinalStateUnknown && !older.NoObject:
		return older
	}
	return newer
}
