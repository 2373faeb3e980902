// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import "k8s.io/apimachinery/pkg/types"

// Held returns what a cache holds under key. It may be called by several
// goroutines at a time.
type Held[T any] func(key types.NamespacedName) (T, bool)

// Reuser is a ListerWatcher that can tell that an object that it is about to
// decode is one that a cache holds already.
type Reuser[T any] interface {
	// Reusing returns a source like this one. Where a list, or a watch with
	// SendInitialEvents, brings an object that is equal to what held returns, in
	// all that its Go type holds, the source may hand on that one, and need not
	// make another. An equal UID and resourceVersion are no proof: a server that
	// was restored from a backup gives versions out again.
	Reusing(held Held[T]) ListerWatcher[T]
}

// Reusing returns src, reusing what is held if it can.
func Reusing[T any](src ListerWatcher[T], held Held[T]) ListerWatcher[T] {
	if r, ok := src.(Reuser[T]); ok {
		return r.Reusing(held)
	}
	return src
}
