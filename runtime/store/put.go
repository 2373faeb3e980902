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
	slot uint32
	old  T
	had  bool // old is set: the key has an object

	difference  Difference // of Object from old
	fingerprint uint64     // of all index values of the new object

	changed []index.Writer[T] // the indexes to visit
	trusted bool              // they have the slot under the old values
}

// put does one write of b in v. slot has the object of its key, or is NoSlot.
func (s *Store[K, T]) put(v *version[K, T], b *Batch[K, T], o *op[K, T], slot uint32) {
	if st := s.stage(v, b, o, slot); s.admit(st, b) {
		s.commit(v, st, b)
	}
}

// stage computes the index values of a write, and finds out which indexes it changes. A new object takes a
// slot. Readers see none of this.
func (s *Store[K, T]) stage(v *version[K, T], b *Batch[K, T], o *op[K, T], slot uint32) *staged[K, T] {
	st := &s.staged
	*st = staged[K, T]{op: *o, slot: slot, had: slot != table.NoSlot, trusted: true}
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
	if st.had {
		st.changed, st.trusted = s.askOld(s.fingerprints[st.slot] - st.fingerprint)
	} else {
		st.slot, st.changed = s.take(), s.indexers
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

// askOld returns the indexes whose values an update or a delete changes. It asks the index functions about
// the old object only as far as needed. The store has a fingerprint for each slot: the sum of the hashes of
// all index values of its object. So the difference of two fingerprints is the sum of the differences that
// the indexes make:
//
//	                   Node             App        Phase
//	 old object   h("n-1")        + h("web") + h("Running")    = fingerprints[slot]
//	-new object   h("n-2")        + h("web") + h("Running")    = staged.fingerprint
//	              h("n-1")-h("n-2") +  0      +  0              = difference
//
// askOld asks one index after the other, and subtracts what it makes. When nothing is left, the indexes that
// were not asked make no difference. It begins with the index that changed last, which is likely to change
// again. If something is left in the end, the old object has other values than when it was stored: a
// function is impure, or the object was changed. Then all indexes must be visited, and the old values are
// not trusted.
func (s *Store[K, T]) askOld(difference uint64) (changed []index.Writer[T], trusted bool) {
	changed = s.changedIndexes[:0]
	first := s.lastChangedIndex
	for i := 0; difference != 0; i++ {
		if i == len(s.indexers) {
			return s.indexers, false
		}
		n := (first + i) % len(s.indexers)
		if d := s.indexers[n].StageOld(&s.staged.old); d != 0 {
			difference -= d
			changed = append(changed, s.indexers[n])
			s.lastChangedIndex = n
		}
	}
	s.changedIndexes = changed
	return changed, true
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
		v.Insert(v.owner, st.slot, st.hash, st.Object, st.Key)
	}
	for _, x := range st.changed {
		x.Commit(&v.indexes, v.owner, st.slot, st.trusted)
	}
	s.fingerprints[st.slot] = st.fingerprint
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
