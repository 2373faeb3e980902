// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"

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
	key, err := s.readKey(obj)
	if err != nil {
		return &KeyError{Err: err}
	}
	s.applyOne(delta.New(delta.Updated, key, obj))
	return nil
}

// Delete removes the object of key and reports whether there was one.
func (s *Store[K, T]) Delete(key K) bool {
	return s.applyOne(delta.WithKey[K, T](delta.Deleted, key))
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

// applyOne does a single write and reports whether the key had an object.
func (s *Store[K, T]) applyOne(d delta.Delta[K, T]) (had bool) {
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		b := &s.singleBatch
		b.Deltas = append(b.Deltas[:0], d)
		b.ResourceVersion = ""
		if d.Type != delta.Deleted {
			b.ResourceVersion = s.newerVersionOrEmpty(v, d.Object)
		}
		changes := s.writeBatch(v, b, &batchRules[T]{}, s.singleChanges)
		had = len(changes) > 0 && changes[0].Type != Added
		clear(b.Deltas)
		clear(changes)
		s.singleChanges = changes[:0]
	}))
	return had
}

// readKeys reads the keys of the objects of b that have been given without, before any lock is taken. It
// returns an error for the first object whose key cannot be read.
func (s *Store[K, T]) readKeys(b *Batch[K, T]) error {
	for _, i := range b.pendingKeyPositions {
		d := &b.deltas.Deltas[i]
		key, err := s.readKey(d.Object)
		if err != nil {
			return &KeyError{Position: i, Err: err}
		}
		d.Key = key
	}
	return nil
}

// readKey returns the key of obj, or an error if the key function panics, as it does for nil.
func (s *Store[K, T]) readKey(obj T) (key K, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = index.Contained(r)
		}
	}()
	return s.keyFuncs.Of(obj), nil
}

// newerVersionOrEmpty returns the resourceVersion of obj if it is newer than the store's and the store has no feeder,
// and "" otherwise. See Set. A feeder sets the version by batches, because the objects of a
// list are not in order of their versions. The caller holds writeLock.
func (s *Store[K, T]) newerVersionOrEmpty(v *version[K, T], obj T) string {
	if s.versionOf == nil || s.feederExplain.Load() != nil {
		return ""
	}
	next := s.versionOf(obj)
	now, _, _ := v.positions.Last()
	if order, err := resourceversion.Compare(cmp.Or(now, next), next); err == nil && order <= 0 {
		return next
	}
	return ""
}

// findSlotsAndDeleteOthers begins a Replace: it deletes every object that b does not write, unless only other parts
// have it. It returns the slots that the writes have now, NoSlot for new objects, or nil if all are new.
func (s *Store[K, T]) findSlotsAndDeleteOthers(
	v *version[K, T], b *delta.Batch[K, T], rules *batchRules[T], changes []Change[T],
) ([]uint32, []Change[T]) {
	if v.Len() == 0 {
		v.Slots.Reserve(v.owner, len(b.Deltas))
		return nil, changes
	}
	slots, keep := make([]uint32, len(b.Deltas)), make([]uint64, s.slotCount/64+1)
	for i := range b.Deltas {
		key := b.Deltas[i].Key
		slot := v.Find(s.keyFuncs.Hash(key), key)
		if slots[i] = slot; slot != table.NoSlot {
			keep[slot/64] |= 1 << (slot % 64)
		}
	}
	var missing []uint32
	v.Each(func(slot uint32, _ *table.Chunk[K, T]) bool {
		if keep[slot/64]&(1<<(slot%64)) == 0 && (!rules.hasPart || s.holders.Has(slot, rules.partID)) {
			missing = append(missing, slot)
		}
		return true
	})
	for _, slot := range missing {
		key := v.KeyAt(slot)
		d := delta.WithKey[K, T](delta.Deleted, key)
		changes = s.applyDelta(v, &d, s.keyFuncs.Hash(key), slot, rules, changes)
	}
	return slots, changes
}

// takeFreeSlot returns an empty slot, preferably one that was used before.
func (s *Store[K, T]) takeFreeSlot() uint32 {
	if n := len(s.freeSlots); n > 0 {
		slot := s.freeSlots[n-1]
		s.freeSlots = s.freeSlots[:n-1]
		return slot
	}
	s.slotCount++
	return s.slotCount - 1
}
