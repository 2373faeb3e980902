// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "iter"

// UniqueOrdered is the handle of an index that is ordered, and of which each
// value is meant to have one object.
type UniqueOrdered[K comparable, T any, V comparable] struct{ Ordered[K, T, V] }

// AddUniqueOrdered is AddOrdered for values that are meant to be unique.
func AddUniqueOrdered[K comparable, T any, V comparable](s *Store[K, T], name string, fn func(dst []V, obj T) []V, order func(a, b V) int) UniqueOrdered[K, T, V] {
	return UniqueOrdered[K, T, V]{AddOrdered(s, name, fn, order)}
}

// Get is that of [Unique].
func (ix UniqueOrdered[K, T, V]) Get(r Reader[K, T], value V) (T, bool) {
	return Unique[K, T, V]{ix.Index}.Get(r, value)
}

// Conflicts is that of [Unique], the lowest value first.
func (ix UniqueOrdered[K, T, V]) Conflicts(r Reader[K, T]) iter.Seq2[V, int] {
	return Unique[K, T, V]{ix.Index}.Conflicts(r)
}

// ConflictCount is that of [Unique].
func (ix UniqueOrdered[K, T, V]) ConflictCount(r Reader[K, T]) int {
	return Unique[K, T, V]{ix.Index}.ConflictCount(r)
}
