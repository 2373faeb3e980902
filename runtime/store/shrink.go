// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/inplace"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// A store that most objects have left goes on with as much memory as those that are
// there need. Nodes of tries are not merged as they empty, and what is kept by slot is as
// long as the store once was; so when few slots are in use, the objects move to the first
// of them, in a successor of the current version. Readers and snapshots notice nothing.
//
// It takes as long as it takes to put what is left into an empty store, asks no index
// function, and comes after at least seven times as many deletions.

const (
	shrinkFrom = 1 << 14 // slots: below it is not worth while
	shrinkAt   = 8       // slots an object
)

// shrink gives back what deletions have left over, if it is much. The caller holds write,
// and nothing is staged.
func (s *Store[K, T]) shrink() {
	n := s.current.keys.Len()
	if s.next < shrinkFrom || n > int(s.next/shrinkAt) {
		return
	}
	v := s.branch()
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
		hashes, marks = append(hashes, hash), append(marks, s.marks[slot])
		live = append(live, slot)
		v.slots.Set(v.owner, s.above(v), next, ch.Objs[slot&(slots.ChunkSize-1)], key, !s.derive)
		v.keys.Insert(v.owner, hash, next, func(slot uint32) uint64 { return hashes[slot] })
		return true
	})
	for _, x := range s.indexers {
		x.renumber(v, to)
	}
	stale := v.stale
	v.stale = trie.Trie[uint32]{}
	stale.Each(func(slot uint32) bool {
		v.setStale(to[slot], true)
		return true
	})
	s.marks, s.next, s.free = marks, uint32(len(marks)), nil //nolint:gosec // fewer than slots
	if s.streams != nil {
		s.streams.Renumber(live, to)
	}
	s.exchanges = inplace.Writes[K, T]{}
	s.swap(v)
}

// renumber has a version of the index hold new slots in place of old ones, in the same
// order.
func (x *index[K, T, V]) renumber(v *version[K, T], to []uint32) {
	v.indexes[x.id] = x.own(v).Renumber(v.owner, to)
}
