// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// states returns the objects before and after the change, as far as there are any.
func (c *Change[T]) states() (old, new *T) {
	switch c.Type {
	case Added:
		return nil, &c.New
	case Deleted:
		return &c.Old, nil
	}
	return &c.Old, &c.New
}

// unobservedDeletion returns the deletion of an object whose final state is unknown. last is its last known state.
func unobservedDeletion[T any](last T, why Cause) Change[T] {
	return Change[T]{Old: last, New: last, Type: Deleted, Cause: why}
}

// batchRules say how a batch is applied.
type batchRules[T any] struct {
	setsEmptyVersion bool // a ResourceVersion that is "" counts

	// Of a feeder; nil for writes by hand.
	deepCompare            func(old, new T) (isUnchanged, isOther bool) // deepCompareObjects
	isOlderForSharedObject func(a, b T) bool                            // isOlder

	// Of a feeder of a part, which Feeder.Part makes.
	hasPart, endsPart bool
	partName          string

	// Of one batch.
	partID              uint32 // of part; 0 without a part
	acceptsOlderObjects bool
}

// Apply applies a batch of the source; see [Store.Apply]. Objects are stored under the keys of their
// deltas, which must be those of the objects; the key function of the store is not called.
//
// A Deleted removes the object of its key. Its Object is New of the Change, unless NoObject or
// FinalStateUnknown is set. A Stale leaves the object of its key and marks it stale until it is written
// again. A Kept leaves the object, and it is not stale. Both are no change. All other deltas store their
// Object. Of a batch with Replace, all objects that it does not write are deleted.
//
// The feeder of a part applies batches of that part, which has some of the objects. A Replace or Deleted removes only
// objects that no other part has, and the resourceVersion is that of the part. An object of several parts is stored
// once. A newer object is not replaced by one with an older resourceVersion, unless the batch is Rewound; so a slow
// part does not undo what a fast one has stored.
func (f *Feeder[K, T]) Apply(b *delta.Batch[K, T]) []Change[T] {
	rules := f.baseRules
	return f.store.applyBatch(b, &rules)
}

// applyBatch writes b, and then wakes waits and reports errors. Set and Delete use applyOne.
func (s *Store[K, T]) applyBatch(b *delta.Batch[K, T], rules *batchRules[T]) (changes []Change[T]) {
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		changes = s.writeBatch(v, b, rules, make([]Change[T], 0, len(b.Deltas)))
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
func (s *Store[K, T]) publish(change func(v *version[K, T])) []deferredErrorFunc {
	s.writeLock.Lock()
	defer s.writeLock.Unlock()
	if s.lastWriteUnfinished {
		panic("indexer-gen: an earlier write to this store did not end: " + //nolint:forbidigo // the caller's bug
			"a callback called runtime.Goexit (as t.FailNow does), or panicked where that is not contained")
	}
	s.lastWriteUnfinished, s.queriesWatchedAtWriteStart = true, s.queryWatches.Watched()
	v := *s.current.Load()
	v.owner++
	change(&v)
	s.current.Store(&v)
	s.queryWatches.Fire() // s.writeLock is still held, so only the signals of this write are fired
	failed := s.pendingFailures
	s.pendingFailures, s.lastWriteUnfinished = nil, false
	return failed
}

// wakeAndReport wakes waits and reports errors. The caller holds no lock.
func (s *Store[K, T]) wakeAndReport(failed []deferredErrorFunc) (reported []error) {
	s.waits.FireAll()
	for _, f := range failed {
		if err := f(); err != nil {
			reported = append(reported, err)
			s.errorHandlers.reportOrPanic(err)
		}
	}
	return reported
}

// writeBatch does the writes of b to v, and appends what they change to changes. The caller is publish.
func (s *Store[K, T]) writeBatch(
	v *version[K, T], b *delta.Batch[K, T], rules *batchRules[T], changes []Change[T],
) []Change[T] {
	rules.acceptsOlderObjects = b.Rewound
	if rules.hasPart {
		rules.partID = s.holders.ID(rules.partName)
		v.positions.Begin(rules.partID, rules.partName)
	}
	var slots []uint32 // of the writes of a Replace, as far as they are known
	if b.Replace {
		slots, changes = s.findSlotsAndDeleteOthers(v, b, rules, changes)
	}
	for i := range b.Deltas {
		d, slot, hash := &b.Deltas[i], table.NoSlot, uint64(0)
		if slots != nil {
			slot = slots[i]
		}
		if slot == table.NoSlot || d.Type == delta.Deleted {
			hash = s.keyFuncs.Hash(d.Key)
			slot = v.Find(hash, d.Key)
		}
		changes = s.applyDelta(v, d, hash, slot, rules, changes)
		if d.Type == delta.Deleted {
			slots = nil // another object may take its slot
		}
	}
	if b.ResourceVersion != "" || rules.setsEmptyVersion {
		v.positions.Advance(rules.partID, b.ResourceVersion)
	}
	if b.Rewound {
		v.positions.Rewind()
	}
	if rules.endsPart {
		v.positions.End(rules.partID)
		s.holders.End(rules.partName)
	}
	if v.Len() == 0 { // release the memory of what was deleted
		s.slotCount, s.freeSlots = 0, nil
		s.indexes.Clear()
	}
	s.passWrittenToDetector(v, b)
	var none K
	s.keyInProgress = none
	return changes
}

// applyDelta does one write in v, and appends what it changes to changes. slot has the object of its key, or is
// NoSlot. hash is that of the key, and is used for new and deleted objects.
func (s *Store[K, T]) applyDelta(
	v *version[K, T], d *delta.Delta[K, T], hash uint64, slot uint32, rules *batchRules[T], changes []Change[T],
) []Change[T] {
	if !d.Type.In(delta.Apply) {
		panic(fmt.Sprintf("indexer-gen: a store cannot apply a delta of type %v", d.Type)) //nolint:forbidigo // the caller's bug
	}
	effect, c := effectOf(v, d, slot, rules)
	if effect == adds {
		slot = s.takeFreeSlot()
	}
	switch {
	case effect == noEffect, rules.hasPart && !s.updateHolders(effect, &c, slot, rules):
		return changes
	case effect == marks:
		v.SetStale(v.owner, slot, d.Type == delta.Stale)
		return changes
	}
	s.keyInProgress = d.Key
	changes = append(changes, c) // first, so that its address takes no memory
	old, new := changes[len(changes)-1].states()
	s.indexes.Stage(old, new, slot)
	if s.queriesWatchedAtWriteStart {
		s.queryWatches.Note(s.indexes.Note)
	}
	switch effect {
	case adds:
		v.Insert(v.owner, slot, hash, c.New, d.Key)
	case updates, recreates:
		v.Update(v.owner, slot, c.New, d.Key)
	case deletes:
		if !v.Delete(v.owner, slot, hash) {
			panic(fmt.Sprintf("indexer-gen: object %v was renamed in the store, "+ //nolint:forbidigo // caller
				"where objects must not be changed; call mutation.Detect in tests", d.Key))
		}
		s.freeSlots = append(s.freeSlots, slot)
		s.holders.Set(slot, 0)
	}
	s.indexes.Commit(&v.indexes, v.owner, slot)
	if s.detector != nil {
		s.detector.Drop(d.Key)
	}
	if effect == recreates { // the indexes saw one update
		changes[len(changes)-1] = unobservedDeletion(c.Old, FinalStateUnknown)
		changes = append(changes, Change[T]{New: c.New, Type: Added})
	}
	return changes
}

// deltaEffect is what a delta does to the object of its key.
type deltaEffect uint8

const (
	noEffect  deltaEffect = iota // there is no such object
	marks                        // the object stays; it is stale, or no longer
	adds                         // there was no such object
	updates                      // the object has another state
	recreates                    // the object goes, and another of its name comes
	deletes                      // the object goes
)

// effectOf returns what d does to the object in slot, which is that of its key, and the change that this makes, if any.
// That of recreates is one update, for the indexes.
func effectOf[K comparable, T any](
	v *version[K, T], d *delta.Delta[K, T], slot uint32, rules *batchRules[T],
) (effect deltaEffect, c Change[T]) {
	keeps, isDelete := d.Type == delta.Stale || d.Type == delta.Kept, d.Type == delta.Deleted
	if slot == table.NoSlot {
		if keeps || isDelete {
			return noEffect, c
		}
		return adds, Change[T]{New: d.Object, Type: Added}
	}
	old, isSame, isOther := v.At(slot), false, false
	if rules.deepCompare != nil && !d.NoObject {
		isSame, isOther = rules.deepCompare(old, d.Object)
	}
	switch c = (Change[T]{Old: old, New: d.Object, Type: Updated}); {
	case isDelete && rules.endsPart:
		return deletes, unobservedDeletion(old, SourceRemoved)
	case isDelete && (d.NoObject || d.FinalStateUnknown || isOther):
		return deletes, unobservedDeletion(old, FinalStateUnknown)
	case isDelete:
		c.Type = Deleted
		return deletes, c
	case keeps || isSame:
		return marks, c
	case isOther:
		return recreates, c
	}
	return updates, c
}

// deepCompareObjects compares an object with the one that the store has under its key. If it is the same, there is no
// change: the store keeps the old one, and does not call index functions. If it is another one, there are two changes:
// a Deleted with FinalStateUnknown and an Added.
func deepCompareObjects[T metav1.Object](old, new T) (isUnchanged, isOther bool) {
	isOther = isRecreated(old, new)
	return !isOther && accessor.Unchanged(old, new), isOther
}
