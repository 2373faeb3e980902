// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import "k8s.io/apimachinery/pkg/types"

// Reuser is implemented by sources that can reuse the objects of a cache.
type Reuser[T any] interface {
	// Reusing returns a source like this one. held returns the object in the cache, and is safe
	// for concurrent use. If an object of a list, or of the initial events of a watch, equals
	// the one in the cache, the source may pass that one. It must compare all fields of the Go
	// type: a restored server reuses UIDs and resourceVersions.
	//
	// The objects go into the cache and are not modified, so they may share parts with each other.
	Reusing(held func(types.NamespacedName) (T, bool)) ListerWatcher[T]
}

// Reusing returns src.Reusing(held), or src if it is not a [Reuser].
func Reusing[T any](src ListerWatcher[T], held func(types.NamespacedName) (T, bool)) ListerWatcher[T] {
	if r, ok := src.(Reuser[T]); ok {
		return r.Reusing(held)
	}
	return src
}
