// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/stream"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// version is one state of the store: everything that a reader sees. A write changes the nodes of
// its owner in place, and copies the others. After it is published nothing in it changes.
type version[K comparable, T any] struct {
	owner     uint64
	slots     slots.Vector[K, T]
	keys      trie.Trie[uint32] // slots, by the hash of their object's key
	indexes   index.Versions
	positions stream.Positions
	stale     trie.Trie[uint32] // slots of objects that the source has newer states of
}

// A store shrinks after most of its objects were deleted. Trie nodes are not merged as they
// empty, and slices by slot keep their length. So when few slots are in use, shrink moves the
// objects to the first slots in a new version. Readers and snapshots are not affected.
//
// Shrinking takes as long as storing the remaining objects in an empty store, and calls no
// index function. At least seven times as many deletions come before it.

const (
	shrinkFrom = 1 << 14 // slots; a smaller store does not shrink
	shrinkAt   = 8       // slots per object
)

// shrink releases the memory of deleted objects if it is much. The caller holds write, and
// nothing is staged.
func (s *Store[K, T]) shrink(v *version[K, T]) {
	n := v.keys.Len()
	if s.next < shrinkFrom || n > int(s.next/shrinkAt) {
		return
	}
	var (
		to     = make([]uint32, s.next) // by old slot, the new one
		hashes = make([]uint64, 0, n)   // by new slot
		marks  = make([]uint64, 0, n)
		live   = make([]uint32, 0, n) // old slots
		old    = v.slots
	)
	v.slots, v.keys = slots.Vector[K, T]{}, trie.Trie[uint32]{}
	old.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
		next := uint32(len(marks)) //nolint:gosec // fewer than slots
		to[slot] = next
		key := s.keyIn(ch, slot)
		hash := s.hash(key)
		hashes, marks = append(hashes, hash), append(marks, s.fingerprints[slot])
		live = append(live, slot)
		v.slots.Set(v.owner, next, ch.Objs[slot&(slots.ChunkSize-1)], key, !s.derive)
		v.keys.Insert(v.owner, hash, next, func(slot uint32) uint64 { return hashes[slot] })
		return true
	})
	for _, x := range s.indexers {
		x.Renumber(&v.indexes, v.owner, to)
	}
	stale := v.stale
	v.stale = trie.Trie[uint32]{}
	stale.Each(func(slot uint32) bool {
		v.setStale(to[slot], true)
		return true
	})
	s.fingerprints, s.next, s.free = marks, uint32(len(marks)), nil //nolint:gosec // fewer than slots
	s.sources.Renumber(live, to)
}
