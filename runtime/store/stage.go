// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// staged is a write whose index values have been computed, and which is not committed. A store has
// one at a time.
type staged[K comparable, T any] struct {
	op[K, T]
	slot uint32
	old  T
	had  bool

	fingerprint uint64 // of all index values of the new object
	moves       bool   // indexes must be visited
	trusted     bool   // the old values are those that the indexes have

	known []uint64 // of a Replace, by slot: key hashes that it has computed; 0: not computed
}

// stage computes the index values of a write to a slot; table.NoSlot means that the key has no
// object, and a Set then takes a slot. It changes nothing that a reader sees.
//
// The store has a fingerprint for each slot, 64 bits computed from all index values of its
// object. If the new object has the same fingerprint, no index is visited. Otherwise askOld looks
// for the indexes that change. If it cannot explain the difference, a function is impure or the
// object was changed.
func (s *Store[K, T]) stage(v *version[K, T], b *Batch[K, T], o *op[K, T], slot uint32) *staged[K, T] {
	st := &s.staged
	*st = staged[K, T]{op: *o, slot: slot, had: slot != table.NoSlot, trusted: true, known: st.known}
	if st.had {
		if st.old = v.At(st.slot); st.kind == opSet && b.same != nil && b.same(st.old, st.obj) {
			st.kind = opRepeat
		}
	}
	switch st.kind {
	case opSet:
		st.fingerprint = s.askNew(s.indexers, &st.obj)
	case opDelete:
		st.fingerprint = s.askNew(s.indexers, nil)
	}
	switch {
	case st.kind == opKeep, st.kind == opRepeat, st.kind == opDelete && !st.had:
		return st
	case !st.had:
		st.slot, st.moves = s.take(), true
	case st.kind == opDelete || st.fingerprint != s.fingerprints[st.slot]:
		st.moves, st.trusted = true, s.askOld(s.fingerprints[st.slot]-st.fingerprint)
	}
	if s.watched {
		s.watch.Note(func(fire func(*notify.Signal)) {
			for _, x := range s.indexers {
				x.Note(fire)
			}
		})
	}
	return st
}

// askNew calls index functions with a new object and returns the fingerprint of its values. A
// panic is reported, and the object then has no values in that index.
func (s *Store[K, T]) askNew(indexers []index.Writer[T], obj *T) (fingerprint uint64) {
	next := 0
	defer func() {
		if r := recover(); r != nil {
			indexers[next].FailNew(index.Contained(r))
			fingerprint += s.askNew(indexers[next+1:], obj)
		}
	}()
	for ; next < len(indexers); next++ {
		fingerprint += indexers[next].StageNew(obj)
	}
	return fingerprint
}

// askOld computes the old values one index at a time. It stops when the differences found so far add up
// to the whole difference of the fingerprints: pure functions then have no changed values in the remaining
// indexes. It begins with the index that changed last, which is likely to change again. If nothing explains the
// difference, the old values are not trusted.
func (s *Store[K, T]) askOld(difference uint64) (trusted bool) {
	first := s.lastChangedIndex
	for i := range len(s.indexers) + 1 {
		if difference == 0 {
			return true
		}
		if i == len(s.indexers) {
			return false
		}
		n := (first + i) % len(s.indexers)
		if d := s.indexers[n].StageOld(&s.staged.old); d != 0 {
			difference -= d
			s.lastChangedIndex = n
		}
	}
	return false
}

// take returns an empty slot, preferably one that was used before.
func (s *Store[K, T]) take() uint32 {
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		return slot
	}
	s.fingerprints = append(s.fingerprints, 0)
	return uint32(len(s.fingerprints) - 1) //nolint:gosec // slots fit
}
