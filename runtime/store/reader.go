// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/iterate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
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
	return Reader[K, T]{s: r.s, at: r.frozen()}
}

// frozen returns a version that no write changes; for a zero Reader, an empty one.
func (r Reader[K, T]) frozen() *version[K, T] {
	switch {
	case r.at != nil:
		return r.at
	case r.s == nil:
		return &version[K, T]{}
	}
	return r.s.freeze()
}

// read calls f with the version to read. It takes no snapshot, so the next write has nothing
// to copy. A write may wait for f, so f must not call foreign code.
func (r Reader[K, T]) read(f func(*version[K, T])) {
	if r.at != nil || r.s == nil {
		f(r.frozen())
		return
	}
	r.s.publish.RLock()
	defer r.s.publish.RUnlock()
	f(r.s.current)
}

// Get returns the object of key. It allocates nothing.
func (r Reader[K, T]) Get(key K) (obj T, ok bool) {
	if r.s == nil {
		return obj, false
	}
	hash := r.s.hash(key)
	if r.at != nil {
		return r.s.get(r.at, hash, key)
	}
	return r.s.getLive(hash, key)
}

func (s *Store[K, T]) get(v *version[K, T], hash uint64, key K) (obj T, ok bool) {
	slot, ok := s.find(v, hash, key)
	if ok {
		obj = v.slots.At(slot)
	}
	return obj, ok
}

// getLive collects the objects whose hash tags match while it holds s.publish, and compares their keys
// after releasing it. So no writer waits for cache misses or for the key function.
func (s *Store[K, T]) getLive(hash uint64, key K) (obj T, ok bool) {
	var (
		likely [3]T
		n      int
	)
	s.publish.RLock()
	v := s.current
	for l := v.keys.Leaf(hash); l != nil; l = l.Overflow {
		for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
			slot := l.Entries[bits.TrailingZeros32(m)]
			ch, i := v.slots.ChunkOf(slot), slot&(slots.ChunkSize-1)
			if !s.derive && ch.Keys[i] != key {
				continue
			}
			if n < len(likely) {
				likely[n] = ch.Objs[i]
			}
			n++
		}
	}
	s.publish.RUnlock()
	if n > len(likely) {
		return s.get(s.freeze(), hash, key)
	}
	for _, obj := range likely[:n] {
		if !s.derive || s.keyOf(obj) == key {
			return obj, true
		}
	}
	return obj, false
}

// All yields every object in no particular order. The sequence ranges over a snapshot taken when
// the loop begins. The loop body runs under no lock and may do anything.
func (r Reader[K, T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		var c iterate.Run[K, T]
		for objs := c.All(&r.frozen().slots); len(objs) > 0; objs = c.Live() {
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
		r.frozen().slots.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
			return yield(r.s.keyIn(ch, slot))
		})
	}
}

// Len returns the number of objects.
func (r Reader[K, T]) Len() (n int) {
	r.read(func(v *version[K, T]) { n = v.keys.Len() })
	return n
}

// ResourceVersion returns the resourceVersion that the store reflects, bookmarks included. It is
// empty before the first Replace or Apply with a resourceVersion. For joined sources
// ([Feeder.Join]) it is the earliest one, and empty until each has one. For other stores with
// several sources use ResourceVersionOf.
func (r Reader[K, T]) ResourceVersion() (resourceVersion string) {
	r.read(func(v *version[K, T]) {
		at, _ := v.whole()
		resourceVersion = at.resourceVersion
	})
	return resourceVersion
}

// Stale reports whether the source has a newer state of key's object that could not be decoded.
// Get then returns the last state that could be.
func (r Reader[K, T]) Stale(key K) bool {
	if r.s == nil {
		return false
	}
	some := false
	if r.read(func(v *version[K, T]) { some = v.stale.Len() > 0 }); !some {
		return false // the usual case takes no snapshot
	}
	v := r.frozen()
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
