// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "iter"

// Unique is a handle of an index in which each value is expected to have one object. A store
// mirrors the source, so it refuses nothing: if a value has several objects, Get returns the one
// with the lowest key, All yields all of them, and Conflicts yields the value.
type Unique[K comparable, T any, V comparable] struct{ Index[K, T, V] }

// AddUnique is AddIndex for values that are expected to be unique.
func AddUnique[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V,
) Unique[K, T, V] {
	return Unique[K, T, V]{AddIndex(s, name, fn)}
}

// Get returns the object indexed under value, or the one with the lowest key if there are
// several. It does not allocate. With one object it costs as much as Reader.Get.
func (ix Unique[K, T, V]) Get(r Reader[K, T], value V) (T, bool) {
	v, p := ix.lookupPosting(r, value)
	return v.Lowest(p)
}

// All yields all objects under value; see [Index.Get].
func (ix Unique[K, T, V]) All(r Reader[K, T], value V) iter.Seq[T] { return ix.Index.Get(r, value) }

// Conflicts yields each value with more than one object, and the number of its objects. A counter says
// whether there are any, so it costs nothing if there are none.
func (ix Unique[K, T, V]) Conflicts(r Reader[K, T]) iter.Seq2[V, int] {
	return func(yield func(V, int) bool) {
		if _, b := ix.findOrBuildBuckets(r); b.Conflicts == 0 {
			return
		}
		for value, n := range ix.Values(r) {
			if n > 1 && !yield(value, n) {
				return
			}
		}
	}
}

// UniqueOrdered is a handle of an ordered index in which each value is expected to have one
// object.
type UniqueOrdered[K comparable, T any, V comparable] struct{ Ordered[K, T, V] }

// AddUniqueOrdered is AddOrdered for values that are expected to be unique.
func AddUniqueOrdered[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V, order func(a, b V) int,
) UniqueOrdered[K, T, V] {
	return UniqueOrdered[K, T, V]{AddOrdered(s, name, fn, order)}
}

// Get is [Unique.Get].
func (ix UniqueOrdered[K, T, V]) Get(r Reader[K, T], value V) (T, bool) {
	return Unique[K, T, V]{ix.Index}.Get(r, value)
}

// All is [Unique.All].
func (ix UniqueOrdered[K, T, V]) All(r Reader[K, T], value V) iter.Seq[T] {
	return ix.Index.Get(r, value)
}

// Conflicts is [Unique.Conflicts], with the lowest value first.
func (ix UniqueOrdered[K, T, V]) Conflicts(r Reader[K, T]) iter.Seq2[V, int] {
	return Unique[K, T, V]{ix.Index}.Conflicts(r)
}
