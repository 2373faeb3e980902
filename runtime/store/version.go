// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/inplace"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// version is one state of the store: everything that a reader sees. What hangs
// from it may be changed in place by the owner it was made for, as long as no
// reader has taken it.
type version[K comparable, T any] struct {
	owner     uint64
	slots     slots.Vector[K, T]
	keys      trie.Trie[uint32] // slots, by the hash of their object's key
	indexes   []any             // the *buckets.Buckets of each index, by index.id
	indexesOf uint64            // who may change them
	labels    int               // the id of the label index, and one; 0: there is none

	resourceVersion string
	epoch           uint64            // how often the source has gone backward
	left            uint64            // how often the stream without a name has ended
	stale           trie.Trie[uint32] // slots whose objects are not the last that the source has had
	streams         []followed        // by owners' id, less one
	streamsOf       uint64            // who may change them
	joins           bool              // some may be joined
	unnamed         bool              // that without a name is joined
	entered         bool              // that without a name is one of several, by a batch that said so
	joinedEpoch     uint64            // how often one that is joined has gone backward
}

// branch returns a version that shares everything with v, for owner to change.
func (v *version[K, T]) branch(owner uint64) *version[K, T] {
	c := *v
	c.owner = owner
	return &c
}

// heldIn returns the object in a slot of v as the batch has left it so far.
func (s *Store[K, T]) heldIn(v *version[K, T], slot uint32) T {
	if x := s.inplace.Find(slot); x != nil {
		return x.Obj
	}
	return v.slots.At(slot)
}

// exchange has the staged object put in place when v is published, if it replaces one,
// no reader has taken the chunk, and there are not too many. A Replace has no use for
// that: it fills the chunks that it copies.
func (s *Store[K, T]) replaceInPlace(v *version[K, T], st *staged[K, T]) bool {
	e := &s.inplace
	if !st.had || v == s.current || s.replacing {
		return false
	}
	if x := e.Find(st.slot); x != nil {
		x.Key, x.Obj = st.key, st.obj
		return true
	}
	if e.Len() >= inplace.Max || s.shared.Load() {
		return false
	}
	if made := v.slots.ChunkOf(st.slot).Owner; made <= s.frozen || made == v.owner {
		return false
	}
	e.Add(st.slot, st.key, st.obj)
	return true
}

// giveUp sets each in v as any other object, in a copy of its chunk: a reader has taken
// the chunks.
func (s *Store[K, T]) copyInPlace(v *version[K, T]) {
	s.inplace.Each(func(slot uint32, key K, obj T) {
		v.slots.Set(v.owner, s.above(v), slot, obj, key, !s.derive)
	})
	s.inplace.Reset()
}

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
		hashes, marks = append(hashes, hash), append(marks, s.fingerprints[slot])
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
	s.fingerprints, s.next, s.free = marks, uint32(len(marks)), nil //nolint:gosec // fewer than slots
	if s.streams != nil {
		s.streams.Renumber(live, to)
	}
	s.inplace = inplace.Writes[K, T]{}
	s.swap(v)
}

// renumber has a version of the index hold new slots in place of old ones, in the same
// order.
func (x *index[K, T, V]) renumber(v *version[K, T], to []uint32) {
	v.indexes[x.id] = x.own(v).Renumber(v.owner, to)
}
