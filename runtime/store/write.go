// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Set stores obj and replaces the object of its key, if any. It returns an error only if the
// key of obj cannot be read.
//
// If the store was made by ForObjects and has no feeder, Set moves the resourceVersion of the
// store forward to that of obj. So a test that fills a store by hand can test code that calls
// WaitFor.
func (s *Store[K, T]) Set(obj T) error {
	key, err := s.read(obj)
	if err != nil {
		return &KeyError{Err: err}
	}
	s.applyOne(delta.Delta[K, T]{Type: delta.Updated, Key: key, Object: obj})
	return nil
}

// Delete removes the object of key and reports whether there was one.
func (s *Store[K, T]) Delete(key K) bool {
	return s.applyOne(delta.Delta[K, T]{Type: delta.Deleted, NoObject: true, Key: key})
}

// Replace replaces all objects of the store by objs, and sets its resourceVersion. If two objects
// have the same key, the later one counts. If the key of an object cannot be read, Replace
// changes nothing and returns an error. If the source has gone backward, use [Batch.Rewind].
func (s *Store[K, T]) Replace(objs []T, resourceVersion string) error {
	var b Batch[K, T]
	b.Replace(objs)
	b.ResourceVersion(resourceVersion)
	_, err := s.Apply(&b)
	return err
}

// Apply applies b atomically: a reader sees all of its writes or none. It returns the changes in order,
// the deletions of a Replace first. If a key is written twice, there are two changes. Deleting a missing
// object is no change, nor is keeping one stale. The caller owns the slice: no Apply uses it again.
//
// If the key of an object cannot be read, Apply changes nothing and returns the first [*KeyError].
func (s *Store[K, T]) Apply(b *Batch[K, T]) ([]Change[T], error) {
	if err := s.readKeys(b); err != nil {
		return nil, err
	}
	s.wakeAndReport(s.publish(func(v *version[K, T]) { s.applyTo(v, b) }))
	changes := b.changes
	if b.changes = nil; 2*len(changes) < cap(changes) { // most objects are unchanged
		changes = slices.Clone(changes)
	}
	return changes, nil
}

// applyOne does a single write and reports whether the key had an object.
func (s *Store[K, T]) applyOne(d delta.Delta[K, T]) (had bool) {
	hash := s.keys.Hash(d.Key)
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		b := &s.lone
		b.ops = append(b.ops, op[K, T]{Delta: d, hash: hash})
		if d.Type != delta.Deleted {
			s.advance(v, b, d.Object)
		}
		s.applyTo(v, b)
		had = len(b.changes) > 0 && b.changes[0].Type != delta.Added
		clear(b.changes)
		reused := b.changes[:0]
		b.Reset()
		b.changes = reused
	}))
	return had
}

// readKeys reads the keys of the objects of b that have been given without, and hashes all keys, before
// any lock is taken. It returns an error for the first object whose key cannot be read.
func (s *Store[K, T]) readKeys(b *Batch[K, T]) error {
	for i := range b.ops {
		o := &b.ops[i]
		if o.unread {
			key, err := s.read(o.Object)
			if err != nil {
				return &KeyError{Position: i, Err: err}
			}
			o.Key = key
		}
		o.hash = s.keys.Hash(o.Key)
	}
	return nil
}

// read returns the key of obj, or an error if the key function panics, as it does for nil.
func (s *Store[K, T]) read(obj T) (key K, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = index.Contained(r)
		}
	}()
	return s.keys.Of(obj), nil
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

// applyTo does the writes of b to v. The caller holds write.
func (s *Store[K, T]) applyTo(v *version[K, T], b *Batch[K, T]) {
	if b.hasPart {
		b.partID = s.owners.ID(b.part)
		v.positions.Begin(b.partID, b.part)
	}
	var slots []uint32 // of the writes of a Replace, as far as they are known
	if b.replace {
		slots = s.deleteOthers(v, b)
	}
	b.changes = slices.Grow(b.changes, len(b.ops))
	for i := range b.ops {
		o, slot := &b.ops[i], table.NoSlot
		if slots != nil {
			slot = slots[i]
		}
		if slot == table.NoSlot {
			slot = v.Find(o.hash, o.Key)
		}
		s.put(v, b, o, slot)
		if o.Type == delta.Deleted {
			slots = nil // another object may take its slot
		}
	}
	if b.hasResourceVersion {
		v.positions.Advance(b.partID, b.resourceVersion)
	}
	if b.rewind {
		v.positions.Rewind()
	}
	if b.endPart {
		v.positions.End(b.partID)
		s.owners.End(b.part)
	}
	s.shrink(v)
	s.detect(v, b)
	s.staged = staged[K, T]{}
}

// advance sets the resourceVersion of b to that of obj if it is newer than the store's and the
// store has no feeder. See Set. A feeder sets the version by batches, because the objects of a
// list are not in order of their versions. The caller holds write.
func (s *Store[K, T]) advance(v *version[K, T], b *Batch[K, T], obj T) {
	if s.versionOf == nil || s.explain.Load() != nil {
		return
	}
	next := s.versionOf(obj)
	now, _, _ := v.positions.Last()
	order, err := resourceversion.Compare(cmp.Or(now, next), next)
	if err == nil && order <= 0 {
		b.ResourceVersion(next)
	}
}
