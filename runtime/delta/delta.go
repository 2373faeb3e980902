// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

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
	// Sync repeats an unchanged object for a resync. Only a queue.DeltaFIFO makes it.
	Sync
	// Stale means that the new state of the object could not be decoded. A consumer keeps the older state.
	Stale
	// Kept means that the known state of the object stays as it is, on purpose. In a complete list it also
	// means that the list has the object.
	Kept
	// Dropped means that the source leaves the object out. A list is read as if it did not have the object,
	// and an event as its deletion. So the reader knows that the source makes progress, and how far it has
	// been read.
	Dropped
	// NoKey means that the key of an object could not be read. A delta with the zero key is another thing:
	// that key is valid.
	NoKey
	// Bookmark means that nothing else has happened up to the resourceVersion that comes with it.
	Bookmark
	// InitialEnd is the Bookmark after the initial events of a watch with SendInitialEvents.
	InitialEnd
)

// Place is a place that deltas pass.
type Place uint8

// The places that deltas pass. The package documentation has the table.
const (
	List  Place = 1 << iota // from List of a source
	Watch                   // from Watch of a source
	Sink                    // from the reflector to its sink
	Apply                   // to the store
)

var table = [...]struct {
	name   string
	places Place
}{
	Added:      {"Added", Watch | Sink | Apply},
	Updated:    {"Updated", Watch | Sink | Apply},
	Deleted:    {"Deleted", Watch | Sink | Apply},
	Replaced:   {"Replaced", List | Sink | Apply},
	Sync:       {"Sync", Apply},
	Stale:      {"Stale", List | Watch | Sink | Apply},
	Kept:       {"Kept", List | Watch | Sink | Apply},
	Dropped:    {"Dropped", List | Watch},
	NoKey:      {"NoKey", List | Watch},
	Bookmark:   {"Bookmark", Watch},
	InitialEnd: {"InitialEnd", Watch},
}

// In reports whether deltas of type t may pass p.
func (t Type) In(p Place) bool { return int(t) < len(table) && table[t].places&p != 0 }

// String returns the name of the constant.
func (t Type) String() string {
	if int(t) < len(table) && t > 0 {
		return table[t].name
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Delta is one change of one object.
type Delta[K comparable, T any] struct {
	Type Type
	// FinalStateUnknown is set on a Deleted for an object that was missing from a list.
	// Object is then its last known state, not its final state. Only a queue.DeltaFIFO sets it.
	FinalStateUnknown bool
	// NoObject is set if Object is the zero value; see WithKey and Bare.
	NoObject bool
	Key      K
	Object   T
}

// New returns a delta of an object: an Added, Updated, Deleted, Replaced or Sync.
func New[K comparable, T any](t Type, key K, obj T) Delta[K, T] {
	return Delta[K, T]{Type: t, Key: key, Object: obj}
}

// WithKey returns a delta without an object: a Stale, Kept or Dropped, or a Deleted without a final state.
func WithKey[K comparable, T any](t Type, key K) Delta[K, T] {
	return Delta[K, T]{Type: t, NoObject: true, Key: key}
}

// Bare returns a delta with neither key nor object: a NoKey, Bookmark or InitialEnd.
func Bare[K comparable, T any](t Type) Delta[K, T] { return Delta[K, T]{Type: t, NoObject: true} }

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
	// Absent is set on a Replace without Deltas if the server does not serve the type.
	Absent bool
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
