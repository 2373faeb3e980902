// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Change is what one write of a batch did to one object. Old is the object before that write; an Added
// has none. New is the object after it. Of a Deleted, New is the final state or, with a Cause, Old. An
// informer passes changes on to its handlers, so a Change has no key, and no more than four fields:
// larger structs are not passed in registers.
type Change[T any] struct {
	Old, New T
	Type     delta.Type // Added, Updated or Deleted
	Cause    Cause      // of a Deleted
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

// Lost returns the deletion of an object whose final state is unknown. last is its last known state.
func Lost[T any](last T, why Cause) Change[T] {
	return Change[T]{Old: last, New: last, Type: delta.Deleted, Cause: why}
}

// Apply applies b atomically: a reader sees all of its writes or none. It returns the changes in order,
// the deletions of a Replace first. If a key is written twice, there are two changes. Deleting a missing
// object is no change. The caller owns the slice: no Apply uses it again.
//
// If the key of an object cannot be read, Apply changes nothing and returns the first [*KeyError].
func (s *Store[K, T]) Apply(b *Batch[K, T]) ([]Change[T], error) {
	if err := s.readKeys(b); err != nil {
		return nil, err
	}
	return s.apply(&b.batch, &rules[T]{versioned: b.versioned}), nil
}

// Apply applies a batch of the source; see [Store.Apply]. Objects are stored under the keys of their
// deltas; the key function of the store is not called.
//
// A Deleted removes the object of its key. Its Object is New of the Change, unless NoObject or
// FinalStateUnknown is set. A Stale leaves the object of its key and marks it stale until it is written
// again. A Kept leaves the object, and it is not stale. Both are no change. All other deltas store their
// Object. Of a batch with Replace, all objects that it does not write are deleted.
func (f *Feeder[K, T]) Apply(b *delta.Batch[K, T]) []Change[T] {
	return f.s.apply(b, &rules[T]{compare: f.Compare})
}

// ApplyPart applies a batch of one part of the source, such as a namespace; see [Feeder.AddParts]. Each part
// has some of the objects. A Replace or Deleted removes only objects that no other part has, and the
// resourceVersion is that of the part.
//
// An object of several parts is stored once. A newer object is not replaced by one that is [Feeder.Older],
// unless the batch is Rewound; so a slow part does not undo what a fast one has stored.
func (f *Feeder[K, T]) ApplyPart(part string, b *delta.Batch[K, T]) []Change[T] {
	return f.s.apply(b, &rules[T]{compare: f.Compare, older: f.Older, hasPart: true, part: part})
}

// EndPart ends a part. Objects that no other part has are deleted, and waits no longer wait for the part.
func (f *Feeder[K, T]) EndPart(part string) []Change[T] {
	return f.s.apply(&delta.Batch[K, T]{Replace: true}, &rules[T]{hasPart: true, part: part, endPart: true})
}

// rules say how a batch is applied.
type rules[T any] struct {
	compare   func(old, new T) Difference // nil: all are Changed
	versioned bool                        // a ResourceVersion that is "" counts

	hasPart, endPart bool
	part             string
	id               uint32 // of part; 0 without a part
	older            func(a, b T) bool
	rewinds          bool
}

// apply is the road of every batch of more than one write.
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
	s.shrink(v)
	s.detect(v, b)
	var none K
	s.key = none
	return changes
}

// put does one write in v, and appends what it changes to changes. slot has the object of its key, or is
// NoSlot. hash is that of the key, and is used for new and deleted objects.
func (s *Store[K, T]) put(
	v *version[K, T], d *delta.Delta[K, T], hash uint64, slot uint32, how *rules[T], changes []Change[T],
) []Change[T] {
	had, isDelete, difference := slot != table.NoSlot, d.Type == delta.Deleted, Changed
	keeps := d.Type == delta.Stale || d.Type == delta.Kept
	if !had {
		if keeps || isDelete {
			return changes
		}
		slot = s.take()
	}
	s.key = d.Key
	changes = append(changes, Change[T]{New: d.Object, Type: delta.Added})
	c := &changes[len(changes)-1]
	if had {
		c.Old, c.Type = v.At(slot), delta.Updated
		if how.compare != nil && !d.NoObject {
			difference = how.compare(c.Old, c.New)
		}
		keeps = keeps || difference == Unchanged && !isDelete
	}
	admitted := s.admit(c, slot, isDelete, keeps, how)
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
				"where objects must not be changed; run tests with %s=true", d.Key, mutationVariable))
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
	switch isRecreated := difference == Recreated; {
	case isDelete && how.endPart:
		*c = Lost(c.Old, SourceRemoved)
	case isDelete && (d.NoObject || d.FinalStateUnknown || isRecreated):
		*c = Lost(c.Old, FinalStateUnknown)
	case isDelete:
		c.Type = delta.Deleted
	case isRecreated:
		*c = Lost(c.Old, FinalStateUnknown)
		changes = append(changes, Change[T]{New: d.Object, Type: delta.Added})
	}
	return changes
}

// admit updates which parts have the object of c, and reports whether the write goes ahead: a
// delete does not while another part has the object, nor, unless the batch rewinds, does
// an older state of an object that several parts have. Writes without a part always go ahead.
func (s *Store[K, T]) admit(c *Change[T], slot uint32, isDelete, keeps bool, how *rules[T]) bool {
	switch {
	case !how.hasPart:
		return true
	case c.Type == delta.Added:
		s.owners.Set(slot, how.id)
		return true
	case isDelete:
		return !s.owners.Remove(slot, how.id)
	}
	shared := s.owners.Add(slot, how.id)
	return keeps || !shared || how.rewinds || how.older == nil || !how.older(c.New, c.Old)
}

// deleteOthers begins a Replace: it deletes every object that b does not write, unless only other parts
// have it. It returns the slots that the writes have now, NoSlot for new objects, or nil if all are new.
func (s *Store[K, T]) deleteOthers(
	v *version[K, T], b *delta.Batch[K, T], how *rules[T], changes []Change[T],
) ([]uint32, []Change[T]) {
	if v.Len() == 0 {
		return nil, changes
	}
	slots, keep := make([]uint32, len(b.Deltas)), make([]uint64, len(s.fingerprints)/64+1)
	for i := range b.Deltas {
		key := b.Deltas[i].Key
		slot := v.Find(s.keys.Hash(key), key)
		if slots[i] = slot; slot != table.NoSlot {
			keep[slot/64] |= 1 << (slot % 64)
		}
	}
	var gone []uint32
	v.Each(func(slot uint32, _ *table.Chunk[K, T]) bool {
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!how.hasPart || s.owners.Has(slot, how.id)) {
			gone = append(gone, slot)
		}
		return true
	})
	for _, slot := range gone {
		key := v.KeyAt(slot)
		d := delta.Delta[K, T]{Type: delta.Deleted, NoObject: true, Key: key}
		changes = s.put(v, &d, s.keys.Hash(key), slot, how, changes)
	}
	return slots, changes
}
