// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// staged is a write for which all foreign code has run. A store has one at a time.
type staged[K comparable, T any] struct {
	op[K, T]
	slot uint32
	old  T
	had  bool

	fingerprint uint64 // of all index values of the new object
	moves       bool   // some index value changes
	trusted     bool   // the old values are those that the indexes have

	known []uint64 // by slot: key hashes that a Replace has computed; 0: not computed
}

// stageAt computes the index values of a write to a slot; noSlot means that the key has no
// object. It changes nothing that a reader sees.
//
// The store has a fingerprint for each slot, 64 bits computed from all index values of its
// object. If the new object has the same fingerprint, no index is visited. Otherwise the values
// of the old object are computed too. If their fingerprint differs from the stored one, a
// function is impure or the object was changed.
func (s *Store[K, T]) stageAt(v *version[K, T], o *op[K, T], slot uint32) *staged[K, T] {
	st := &s.staged
	st.op, st.slot, st.had = *o, slot, slot != noSlot
	st.fingerprint = 0
	switch st.kind {
	case opSet:
		st.fingerprint = s.askNew(s.indexers, &st.obj)
	case opDelete:
		st.fingerprint = s.askNew(s.indexers, nil)
	}
	s.stageOld(v)
	return st
}

// stageOld stages the old object, and computes its index values if some of them change.
func (s *Store[K, T]) stageOld(v *version[K, T]) {
	st := &s.staged
	st.moves, st.trusted = false, true
	if st.had {
		st.old = v.slots.At(st.slot)
	} else {
		var none T
		st.old = none
	}
	switch {
	case st.kind == opKeep, st.kind == opDelete && !st.had:
		return
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
// to the whole difference of the fingerprints: the remaining indexes then have no changed values. It
// begins with the index that changed last, which is likely to change again. If nothing explains the
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

// keyHash returns the hash of the key in a slot. A first Replace takes a third longer if it
// reads the keys again to split leaves.
func (s *Store[K, T]) keyHash(v *version[K, T], slot uint32) uint64 {
	if known := s.staged.known; int(slot) < len(known) && known[slot] != 0 {
		return known[slot]
	}
	return s.hash(s.keyAt(v, slot))
}

// putOne does a write that comes alone.
func (s *Store[K, T]) putOne(v *version[K, T], o *op[K, T], b *Batch[K, T]) {
	slot, ok := s.find(v, o.hash, o.key)
	if !ok {
		slot = noSlot
	}
	s.put(v, s.stageAt(v, o, slot), b)
}

// put commits a staged write if admit accepts it.
func (s *Store[K, T]) put(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	if s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// admit updates the owners of the staged object and reports whether the write goes ahead.
func (s *Store[K, T]) admit(st *staged[K, T], b *Batch[K, T]) bool {
	if !b.hasSource {
		return true
	}
	switch {
	case st.kind == opSet && !st.had:
		s.sources.Set(st.slot, b.sourceID)
		return true
	case st.kind == opDelete:
		return st.had && !s.sources.Remove(st.slot, b.sourceID)
	case !st.had:
		return false
	}
	shared := s.sources.Add(st.slot, b.sourceID)
	return st.kind == opKeep || !shared || b.rewind || b.older == nil || !b.older(st.obj, st.old)
}

// commit does a staged write, and appends it to the changes of b.
func (s *Store[K, T]) commit(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	switch st.kind {
	case opKeep:
		if st.had {
			v.setStale(st.slot, true)
		}
		return
	case opSet:
		v.slots.Set(v.owner, st.slot, st.obj, st.key, !s.derive)
		if !st.had {
			v.keys.Insert(v.owner, st.hash, st.slot, func(slot uint32) uint64 { return s.keyHash(v, slot) })
		}
	case opDelete:
		if !st.had {
			return
		}
		if !v.keys.Remove(v.owner, st.hash, func(slot uint32) bool { return slot == st.slot }) {
			panic(fmt.Sprintf("indexer-gen: object %v was renamed in the store, "+ //nolint:forbidigo // caller
				"where objects must not be changed; run tests with %s=true", st.key, MutationVariable))
		}
		v.slots.Clear(v.owner, st.slot)
		s.free = append(s.free, st.slot)
		s.sources.Set(st.slot, 0)
	}
	if v.stale.Len() > 0 {
		v.setStale(st.slot, false)
	}
	if st.moves {
		for _, x := range s.indexers {
			x.Commit(&v.indexes, v.owner, st.slot, index.Write{Had: st.had, Trusted: st.trusted, Replace: s.replacing})
		}
		s.fingerprints[st.slot] = st.fingerprint
	}
	b.changes = append(b.changes, st.change())
}

func (st *staged[K, T]) change() Change[K, T] {
	return Change[K, T]{
		Key: st.key, Old: st.old, HadOld: st.had, New: st.obj, HasNew: st.kind == opSet, HasFinal: st.last,
	}
}

// unstage drops the references to the objects of the staged write.
func (s *Store[K, T]) unstage() {
	var (
		obj T
		key K
	)
	s.staged.obj, s.staged.old, s.staged.key, s.staged.known = obj, obj, key, nil
}

// take returns an empty slot, preferably one that was used before.
func (s *Store[K, T]) take() uint32 {
	if n := len(s.free); n > 0 {
		slot := s.free[n-1]
		s.free = s.free[:n-1]
		return slot
	}
	s.next++
	s.fingerprints = append(s.fingerprints, 0)
	return s.next - 1
}
