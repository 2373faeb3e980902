// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Change is what one write of a batch did to one object. Old is the object before that write; an Added
// has none. New is the object after it. Of a Deleted, New is the final state or, with a Cause, Old. An
// informer passes changes on to its handlers, so a Change has no key, and no more than four fields:
// larger structs are not passed in registers.
type Change[T any] struct {
	Old, New T
	Type     ChangeType
	Cause    Cause // of a Deleted
}

// ChangeType is the type of a [Change].
type ChangeType uint8

// The types of changes.
const (
	Added ChangeType = iota + 1
	Updated
	Deleted
)

// String returns the name of the constant.
func (t ChangeType) String() string {
	return [...]string{Added: "Added", Updated: "Updated", Deleted: "Deleted"}[t]
}

// Cause says why the final state of a deleted object is unknown. The zero value means that it is known.
type Cause uint8

const (
	// FinalStateUnknown means that the deletion was not observed, or that the final state could not be
	// decoded.
	FinalStateUnknown Cause = iota + 1
	// SourceRemoved means that the part of the source that had the object was removed. The object may
	// still exist.
	SourceRemoved
)

// lost returns the deletion of an object whose final state is unknown. last is its last known state.
func lost[T any](last T, why Cause) Change[T] {
	return Change[T]{Old: last, New: last, Type: Deleted, Cause: why}
}

// rules say how a batch is applied.
type rules[T any] struct {
	compare   func(old, new T) difference // nil: all are changedState
	versioned bool                        // a ResourceVersion that is "" counts

	// Of a feeder of a part.
	hasPart, endPart bool
	part             string
	older            func(a, b T) bool // nil, or whether a is known to be an earlier state of an object than b

	// Of one batch.
	id      uint32 // of part; 0 without a part
	rewinds bool
}

// apply writes b, and then wakes waits and reports errors. Set and Delete use applyOne.
func (s *Store[K, T]) apply(b *delta.Batch[K, T], how *rules[T]) (changes []Change[T]) {
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		changes = s.writeBatch(v, b, how, make([]Change[T], 0, len(b.Deltas)))
	}))
	if 2*len(changes) < cap(changes) { // most objects are unchanged
		changes = slices.Clone(changes)
	}
	return changes
}

// publish is the only way to change the store: it gives change a copy of the current version, which
// shares all nodes with it, makes the copy current, and fires the watches that the writes concern.
// It returns errors for wakeAndReport, which the caller calls next.
//
// publish panics if an earlier change did not return, because the store may be half written.
func (s *Store[K, T]) publish(change func(v *version[K, T])) []failure {
	s.write.Lock()
	defer s.write.Unlock()
	if s.writing {
		panic("indexer-gen: an earlier write to this store did not end: " + //nolint:forbidigo // the caller's bug
			"a callback called runtime.Goexit (as t.FailNow does), or panicked where that is not contained")
	}
	s.writing, s.watched = true, s.watch.Watched()
	v := *s.current.Load()
	v.owner++
	change(&v)
	s.current.Store(&v)
	s.watch.Fire() // s.write is still locked, so only the signals of this write are fired
	failed := s.failed
	s.failed, s.writing = nil, false
	return failed
}

// wakeAndReport wakes waits and reports errors. The caller holds no lock.
func (s *Store[K, T]) wakeAndReport(failed []failure) (reported []error) {
	s.changed.FireAll()
	for _, f := range failed {
		if err := f(); err != nil {
			reported = append(reported, err)
			s.reports.report(err)
		}
	}
	return reported
}

// writeBatch does the writes of b to v, and appends what they change to changes. The caller is publish.
func (s *Store[K, T]) writeBatch(
	v *version[K, T], b *delta.Batch[K, T], how *rules[T], changes []Change[T],
) []Change[T] {
	how.rewinds = b.Rewound
	if how.hasPart {
		how.id = s.owners.ID(how.part)
		v.positions.Begin(how.id, how.part)
	}
	var slots []uint32 // of the writes of a Replace, as far as they are known
	if b.Replace {
		slots, changes = s.deleteOthers(v, b, how, changes)
	}
	for i := range b.Deltas {
		d, slot, hash := &b.Deltas[i], table.NoSlot, uint64(0)
		if slots != nil {
			slot = slots[i]
		}
		if slot == table.NoSlot || d.Type == delta.Deleted {
			hash = s.keys.Hash(d.Key)
			slot = v.Find(hash, d.Key)
		}
		changes = s.put(v, d, hash, slot, how, changes)
		if d.Type == delta.Deleted {
			slots = nil // another object may take its slot
		}
	}
	if b.ResourceVersion != "" || how.versioned {
		v.positions.Advance(how.id, b.ResourceVersion)
	}
	if b.Rewound {
		v.positions.Rewind()
	}
	if how.endPart {
		v.positions.End(how.id)
		s.owners.End(how.part)
	}
	if v.Len() == 0 { // release the memory of what was deleted
		s.fingerprints, s.free = nil, nil
	}
	s.written(v, b)
	var none K
	s.key = none
	return changes
}

// put does one write in v, and appends what it changes to changes. slot has the object of its key, or is
// NoSlot. hash is that of the key, and is used for new and deleted objects.
func (s *Store[K, T]) put(
	v *version[K, T], d *delta.Delta[K, T], hash uint64, slot uint32, how *rules[T], changes []Change[T],
) []Change[T] {
	if !d.Type.In(delta.Apply) {
		panic(fmt.Sprintf("indexer-gen: a store cannot apply a delta of type %v", d.Type)) //nolint:forbidigo // the caller's bug
	}
	had, isDelete, diff := slot != table.NoSlot, d.Type == delta.Deleted, changedState
	keeps := d.Type == delta.Stale || d.Type == delta.Kept
	if !had {
		if keeps || isDelete {
			return changes
		}
		slot = s.take()
	}
	s.key = d.Key
	changes = append(changes, Change[T]{New: d.Object, Type: Added})
	c := &changes[len(changes)-1]
	if had {
		c.Old, c.Type = v.At(slot), Updated
		if how.compare != nil && !d.NoObject {
			diff = how.compare(c.Old, c.New)
		}
		keeps = keeps || diff == sameState && !isDelete
	}
	admitted := !how.hasPart || s.admit(c, slot, isDelete, keeps, how)
	if !admitted || keeps {
		if admitted {
			v.SetStale(v.owner, slot, d.Type == delta.Stale)
		}
		*c = Change[T]{}
		return changes[:len(changes)-1]
	}
	fingerprint, changed, trusted := s.stage(c, slot, isDelete)
	switch {
	case isDelete:
		if !v.Delete(v.owner, slot, hash) {
			panic(fmt.Sprintf("indexer-gen: object %v was renamed in the store, "+ //nolint:forbidigo // caller
				"where objects must not be changed; call mutation.Detect in tests", d.Key))
		}
		s.free = append(s.free, slot)
		s.owners.Set(slot, 0)
	case had:
		v.Replace(v.owner, slot, c.New, d.Key)
	default:
		v.Insert(v.owner, slot, hash, c.New, d.Key)
	}
	for _, x := range changed {
		x.Commit(&v.indexes, v.owner, slot, trusted)
	}
	s.fingerprints[slot] = fingerprint
	if s.detector != nil {
		s.detector.Drop(d.Key)
	}
	switch isRecreated := diff == otherObject; {
	case isDelete && how.endPart:
		*c = lost(c.Old, SourceRemoved)
	case isDelete && (d.NoObject || d.FinalStateUnknown || isRecreated):
		*c = lost(c.Old, FinalStateUnknown)
	case isDelete:
		c.Type = Deleted
	case isRecreated:
		*c = lost(c.Old, FinalStateUnknown)
		changes = append(changes, Change[T]{New: d.Object, Type: Added})
	}
	return changes
}

// stage computes the index values of the objects of c, and finds out which indexes the change concerns.
// trusted says that these have the slot under the old values. fingerprint is that of all values of the new
// object, if there is one. Readers see none of this.
func (s *Store[K, T]) stage(c *Change[T], slot uint32, isDelete bool) (
	fingerprint uint64, changed []index.Writer[T], trusted bool,
) {
	obj := &c.New
	if isDelete {
		obj = nil
	}
	for _, x := range s.indexers {
		fingerprint += x.StageNew(obj)
	}
	changed, trusted = s.indexers, true
	if c.Type != Added {
		changed, trusted = s.askOld(&c.Old, s.fingerprints[slot]-fingerprint)
	}
	if s.watched {
		s.watch.Note(func(fire func(*notify.Signal)) {
			for _, x := range s.indexers {
				x.Note(fire)
			}
		})
	}
	return fingerprint, changed, trusted
}

// askOld returns the indexes whose values an update or a delete changes. It asks the index functions about
// the old object only as far as needed. The store has a fingerprint for each slot: the sum of the hashes of
// all index values of its object. So the difference of two fingerprints is the sum of the differences that
// the indexes make:
//
//	                   Node             App        Phase
//	 old object   h("n-1")        + h("web") + h("Running")    = fingerprints[slot]
//	-new object   h("n-2")        + h("web") + h("Running")    = fingerprint
//	              h("n-1")-h("n-2") +  0      +  0              = difference
//
// askOld asks one index after the other, and subtracts what it makes. When nothing is left, the indexes that
// were not asked make no difference. It begins with the index that changed last, which is likely to change
// again. If something is left in the end, the old object has other values than when it was stored: a
// function is impure, or the object was changed. Then all indexes must be visited, and the old values are
// not trusted.
func (s *Store[K, T]) askOld(old *T, difference uint64) (changed []index.Writer[T], trusted bool) {
	changed = s.changedIndexes[:0]
	first := s.lastChangedIndex
	for i := 0; difference != 0; i++ {
		if i == len(s.indexers) {
			return s.indexers, false
		}
		n := (first + i) % len(s.indexers)
		if d := s.indexers[n].StageOld(old); d != 0 {
			difference -= d
			changed = append(changed, s.indexers[n])
			s.lastChangedIndex = n
		}
	}
	s.changedIndexes = changed
	return changed, true
}
