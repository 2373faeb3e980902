// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package delta names the changes that pass from a source to a store. A [Delta] is one change of one
// object, or one object of a list. A [Batch] holds deltas that are processed at once.
//
// The package imports no store and no queue, so that neither needs the other.
package delta

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Type is the type of a [Delta].
type Type uint8

const (
	// Added means that the source reported the object as created. The object may be known: a
	// watch without a resourceVersion starts with an Added for each existing object.
	Added Type = iota + 1
	// Updated means that the object changed. A store does not rely on it: an object that it lacks is added.
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

// Batch holds deltas that are processed at once.
type Batch[K comparable, T any] struct {
	// Deltas are in order of arrival. In a batch of a queue.DeltaFIFO all have the same key.
	Deltas []Delta[K, T]
	// Replace is set if the batch is one complete list, with a Replaced, Stale or Kept for each object.
	// If the latest state of an object could not be decoded, but an older one could, it has a Replaced
	// with the older one, then a Stale. The store deletes what the list lacks.
	Replace bool
	// Rewound is set on a Replace whose ResourceVersion is older than the one before.
	Rewound bool
	// ResourceVersion is the position of the source after the batch, "" if unknown. A batch may have a
	// ResourceVersion and no deltas.
	ResourceVersion string
}

// ErrNoName is returned by KeyOf if the object has no name.
var ErrNoName = errors.New("object has no metadata.name")

// ErrNilObject is returned by KeyOf if the object is nil.
var ErrNilObject = errors.New("object is nil")

// KeyOf returns the key of a Kubernetes object, its namespace and name. It returns an error if obj is
// nil, has no name, or has no readable metadata.
func KeyOf[T metav1.Object](obj T) (types.NamespacedName, error) {
	if accessor.IsNil(obj) {
		return types.NamespacedName{}, ErrNilObject
	}
	key, err := accessor.Key(obj)
	if err == nil && key.Name == "" {
		err = ErrNoName
	}
	return key, err
}
