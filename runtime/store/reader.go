// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Reader reads a store: live or, after Snapshot, one frozen state. It is a small value; copy it
// freely. All methods are safe for concurrent use. The zero Reader finds nothing.
//
// Objects are shared with all other readers and must not be changed.
type Reader[K comparable, T any] struct {
	store         *Store[K, T]
	frozenVersion *version[K, T] // nil: live
}

// Reader returns a live reader. Each of its reads sees the store as it is when the read
// begins.
func (s *Store[K, T]) Reader() Reader[K, T] { return Reader[K, T]{store: s} }

// Snapshot returns a frozen reader of the current state, consistent over the objects and all
// indexes. It takes constant time and needs no release: later writes copy the nodes that they
// change. The snapshot of a snapshot is the same one.
func (r Reader[K, T]) Snapshot() Reader[K, T] {
	if r.store == nil {
		return r
	}
	return Reader[K, T]{store: r.store, frozenVersion: r.version()}
}

// version returns the version to read; for a zero Reader, an empty one.
func (r Reader[K, T]) version() *version[K, T] {
	switch {
	case r.frozenVersion != nil:
		return r.frozenVersion
	case r.store == nil:
		return &version[K, T]{}
	}
	return r.store.current.Load()
}

// Get returns the object of key. It allocates nothing.
func (r Reader[K, T]) Get(key K) (obj T, ok bool) {
	if r.store == nil {
		return obj, false
	}
	obj, slot := r.version().Get(r.store.keyFuncs.Hash(key), key)
	return obj, slot != table.NoSlot
}

// All yields every object in no particular order. The sequence ranges over a snapshot taken when
// the loop begins. The loop body runs under no lock and may do anything.
func (r Reader[K, T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		var c query.Run[K, T]
		for objs := c.OfAll(&r.version().Vector); len(objs) > 0; objs = c.Next() {
			for _, obj := range objs {
				if !yield(obj) {
					return
				}
			}
		}
	}
}

// Keys yields the key of every object; see All.
func (r Reader[K, T]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		v := r.version()
		v.Each(func(slot uint32, ch *table.Chunk[K, T]) bool { return yield(v.KeyIn(ch, slot)) })
	}
}

// Len returns the number of objects.
func (r Reader[K, T]) Len() int { return r.version().Len() }

// Stale reports whether the source has a newer state of key's object that could not be decoded.
// Get then returns the last state that could be.
func (r Reader[K, T]) Stale(key K) bool {
	if r.store == nil {
		return false
	}
	v := r.version()
	slot := v.Find(v.Hash(key), key)
	return slot != table.NoSlot && v.Stale(slot)
}

// Contents describes a store of any type, for people who look at it. A Reader implements it.
type Contents interface {
	// IndexSizes yields the name of each index with the texts of its values, and the number of objects of each.
	IndexSizes(yield func(index string, sizes iter.Seq2[string, int]) bool)
	// StaleLen returns the number of objects for which Reader.Stale returns true.
	StaleLen() int
}

// IndexSizes implements [Contents].
func (r Reader[K, T]) IndexSizes(yield func(index string, sizes iter.Seq2[string, int]) bool) {
	v := r.version()
	for id := range v.indexes.Len() {
		if !yield(r.store.Indexes()[id], v.indexes.Sizes(id)) {
			return
		}
	}
}

// StaleLen implements [Contents].
func (r Reader[K, T]) StaleLen() int { return r.version().StaleLen() }
