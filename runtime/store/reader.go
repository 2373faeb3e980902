// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/iterate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// Reader reads a store: live or, after Snapshot, one frozen state. It is a small value; copy it
// freely. All methods are safe for concurrent use. The zero Reader finds nothing.
//
// Objects are shared with all other readers and must not be changed.
type Reader[K comparable, T any] struct {
	s  *Store[K, T]
	at *version[K, T] // nil: live
}

// Snapshot returns a frozen reader of the current state, consistent over the objects and all
// indexes. It takes constant time and needs no release: later writes copy the nodes that they
// change. The snapshot of a snapshot is the same one.
func (r Reader[K, T]) Snapshot() Reader[K, T] {
	if r.s == nil {
		return r
	}
	return Reader[K, T]{s: r.s, at: r.version()}
}

// version returns the version to read; for a zero Reader, an empty one.
func (r Reader[K, T]) version() *version[K, T] {
	switch {
	case r.at != nil:
		return r.at
	case r.s == nil:
		return &version[K, T]{}
	}
	return r.s.current.Load()
}

// Get returns the object of key. It allocates nothing.
func (r Reader[K, T]) Get(key K) (obj T, ok bool) {
	if r.s == nil {
		return obj, false
	}
	return r.s.get(r.version(), r.s.hash(key), key)
}

// All yields every object in no particular order. The sequence ranges over a snapshot taken when
// the loop begins. The loop body runs under no lock and may do anything.
func (r Reader[K, T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		var c iterate.Run[K, T]
		for objs := c.OfAll(&r.version().slots); len(objs) > 0; objs = c.Next() {
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
		r.version().slots.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
			return yield(r.s.keyIn(ch, slot))
		})
	}
}

// Len returns the number of objects.
func (r Reader[K, T]) Len() int { return r.version().keys.Len() }

// Stale reports whether the source has a newer state of key's object that could not be decoded.
// Get then returns the last state that could be.
func (r Reader[K, T]) Stale(key K) bool {
	v := r.version()
	if v.stale.Len() == 0 {
		return false
	}
	slot, ok := r.s.find(v, r.s.hash(key), key)
	return ok && v.isStale(slot)
}

func (v *version[K, T]) isStale(slot uint32) bool {
	_, ok := v.stale.Find(slotHash(slot), func(other uint32) bool { return other == slot })
	return ok
}

// setStale sets whether the object in slot is stale. It copies at most one path of a trie. So
// writes are fast even if all objects are stale, for example after a conversion broke.
func (v *version[K, T]) setStale(slot uint32, stale bool) {
	switch is := v.isStale(slot); {
	case is == stale:
	case stale:
		v.stale.Insert(v.owner, slotHash(slot), slot, slotHash)
	default:
		v.stale.Remove(v.owner, slotHash(slot), func(other uint32) bool { return other == slot })
	}
}

// slotHash returns the hash of a slot in a trie.
func slotHash(slot uint32) uint64 { return uint64(slot) * 0x9e3779b97f4a7c15 }
