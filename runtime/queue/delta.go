// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "fmt"

// Type says what a [Delta] tells about its object.
type Type uint8

const (
	// Added means that the source said that the object was created. It may be known all the
	// same: a watch that starts without a resourceVersion repeats what exists.
	Added Type = iota + 1
	// Updated means that the source said that the object changed.
	Updated
	// Deleted means that the object is gone.
	Deleted
	// Replaced means that the object was in a complete list; it may be new, changed or unchanged.
	Replaced
	// Sync means that nothing happened; the object is repeated because someone asked for that.
	Sync
	// Stale means that the object changed, but its new state could not be decoded. Only its
	// key is known; whoever has an older state keeps it.
	Stale
)

var typeNames = [...]string{Added: "Added", Updated: "Updated", Deleted: "Deleted", Replaced: "Replaced", Sync: "Sync", Stale: "Stale"}

// String returns the name of t as it stands in the source.
func (t Type) String() string {
	if int(t) < len(typeNames) && typeNames[t] != "" {
		return typeNames[t]
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Delta is one thing that happened to one object.
type Delta[K comparable, T any] struct {
	Type Type
	// FinalStateUnknown is set on a Deleted that was inferred, because the object
	// was missing from a list: Object is its last known state, not its final one.
	FinalStateUnknown bool
	// NoObject is set when Object is the zero value because no state is known: on
	// every Stale, and on a Deleted whose final state could not be decoded.
	NoObject bool
	Key      K
	Object   T
}

// KeyOf returns the key of the object that d is about, also if d has no object or
// is a tombstone. It has the shape that generic code over keys wants; d.Key is the
// same.
func KeyOf[K comparable, T any](d Delta[K, T]) K { return d.Key }

// mergeDeletes returns the better of two Deleted deltas of one object that follow
// each other: the one that has seen the object's final state, or the newer one.
func mergeDeletes[K comparable, T any](older, newer Delta[K, T]) Delta[K, T] {
	switch {
	case newer.NoObject && !older.NoObject:
		return older
	case newer.FinalStateUnknown && !older.FinalStateUnknown && !older.NoObject:
		return older
	}
	return newer
}
