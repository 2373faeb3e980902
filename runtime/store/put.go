// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// staged is a write whose index values have been computed, and which is not committed. A store has
// one at a time.
type staged[K comparable, T any] struct {
	op[K, T]
	old T
	had bool // old is set: the key has an object

	difference  Difference // of Object from old
	fingerprint uint64     // of all index values of the new object
	moves       bool       // indexes must be visited
	trusted     bool       // the old values are those that the indexes have

	known []uint64 // of a Replace, by slot: key hashes that it has computed; 0: not computed
}

// put does one write of b in v.
func (s *Store[K, T]) put(v *version[K, T], b *Batch[K, T], o *op[K, T]) {
	if st := s.stage(v, b, o); s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// stage computes the index values of a write. A new object takes a slot. Readers see none of this.
//
// The store has a fingerprint for each slot, 64 bits computed from all index values of its
// object. If the new object has the same fingerprint, no index is visited. Otherwise askOld looks
// for the indexes that change. If it cannot explain the difference, a function is impure or the
// object was changed.
func (s *Store[K, T]) stage(v *version[K, T], b *Batch[K, T], o *op[K, T]) *staged[K, T] {
	st := &s.staged
	*st = staged[K, T]{op: *o, had: o.slot != table.NoSlot, trusted: true, known: st.known}
	if st.Type == delta.Stale || st.Type == delta.Kept || st.Type == delta.Deleted && !st.had {
		return st
	}
	if st.had {
		st.old = v.At(st.slot)
		if !st.NoObject && b.compare != nil {
			st.difference = b.compare(st.old, st.Object)
		}
	}
	obj := &st.Object
	switch {
	case st.Type == delta.Deleted:
		obj = nil
	case st.difference == Unchanged:
		st.Type = delta.Kept // as if the source had sent that
		return st
	}
	st.fingerprint = s.askNew(s.indexers, obj)
	if !st.had {
		st.slot, st.moves = s.take(), true
	} else if st.Type == delta.Deleted || st.fingerprint != s.fingerprints[st.slot] {
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

// askOld computes the old values one index at a time. It stops when the differences found so far add up to
// the whole difference of the fingerprints: pure functions then have no changed values in the remaining
// indexes. It begins with the index that changed last, which is likely to change again. If nothing explains
// the difference, the old values are not trusted.
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

// admit updates the parts that have the staged object, and reports whether the write goes ahead: a
// delete does not while another part has the object, nor, unless the batch rewinds, does
// an older state of an object that several parts have. Writes without a part always go ahead.
func (s *Store[K, T]) admit(st *staged[K, T], b *Batch[K, T]) bool {
	keeps := st.Type == delta.Stale || st.Type == delta.Kept
	switch {
	case !st.had && (keeps || st.Type == delta.Deleted):
		return false
	case !b.hasPart:
		return true
	case !st.had:
		s.owners.Set(st.slot, b.partID)
		return true
	case st.Type == delta.Deleted:
		return !s.owners.Remove(st.slot, b.partID)
	}
	shared := s.owners.Add(st.slot, b.partID)
	return keeps || !shared || b.rewind || b.older == nil || !b.older(st.Object, st.old)
}

// commit does a staged write in v, and appends its changes to those of b. A delete frees its slot.
func (s *Store[K, T]) commit(v *version[K, T], st *staged[K, T], b *Batch[K, T]) {
	switch {
	case st.Type == delta.Stale, st.Type == delta.Kept:
		v.SetStale(v.owner, st.slot, st.Type == delta.Stale)
		return
	case st.Type == delta.Deleted:
		if !v.Delete(v.owner, st.slot, st.hash) {
			panic(fmt.Sprintf("indexer-gen: object %v was renamed in the store, "+ //nolint:forbidigo // caller
				"where objects must not be changed; run tests with %s=true", st.Key, mutationVariable))
		}
		s.free = append(s.free, st.slot)
		s.owners.Set(st.slot, 0)
	case st.had:
		v.Replace(v.owner, st.slot, st.Object, st.Key)
	default:
		if st.known != nil {
			st.known[st.slot] = st.hash
		}
		v.Insert(v.owner, st.slot, st.hash, st.Object, st.Key, st.known)
	}
	if st.moves {
		w := index.Write{Had: st.had, Trusted: st.trusted, Replace: st.known != nil}
		for _, x := range s.indexers {
			x.Commit(&v.indexes, v.owner, st.slot, w)
		}
		s.fingerprints[st.slot] = st.fingerprint
	}
	if s.detector != nil {
		s.detector.Drop(st.Key)
	}
	b.record(st)
}

// record appends the changes that st makes.
func (b *Batch[K, T]) record(st *staged[K, T]) {
	c := Change[T]{Old: st.old, New: st.Object, Type: delta.Updated}
	switch {
	case st.Type == delta.Deleted:
		switch c.Type = delta.Deleted; {
		case b.endPart:
			c = Lost(st.old, SourceRemoved)
		case st.NoObject || st.FinalStateUnknown || st.difference == Recreated:
			c = Lost(st.old, FinalStateUnknown)
		}
	case !st.had:
		c.Type = delta.Added
	case st.difference == Recreated:
		b.changes = append(b.changes, Lost(st.old, FinalStateUnknown))
		c = Change[T]{New: st.Object, Type: delta.Added}
	}
	b.changes = append(b.changes, c)
}
