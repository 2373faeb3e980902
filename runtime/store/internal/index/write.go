// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"errors"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// ErrImpure is reported if an object is not indexed under the values that the function returns.
var ErrImpure = errors.New("the values of an object in the store have changed: " +
	"the index function is impure, or a cached object was changed")

// errInterface is reported if index values contain interfaces.
var errInterface = errors.New("index values must not be or contain interfaces: " +
	"return values of one comparable type")

// errOrder is reported if the order of an index returns 0 for different values.
var errOrder = errors.New("the order of the index returns 0 for two different values; " +
	"the object is not indexed under the second: compare the whole value")

// Set is the indexes of a store, as a write changes them. Stage computes the index values of the objects of one write,
// and Commit writes them to the indexes that they change. A Set is guarded by the lock of writers.
type Set[T any] struct {
	indexes            []Writer[T]
	Fingerprints       []uint64 // by slot: the sum over all index values of its object
	likelyChangedIndex int      // the index whose values changed last

	// The staged write:
	changedIndexes   []Writer[T] // the indexes that it changes
	oldValuesTrusted bool        // changedIndexes have the slot under the old values
	newFingerprint   uint64      // of the new object
	changedBuffer    []Writer[T] // for changedIndexes
}

// Add adds an index of which each yields the objects and their slots.
func (s *Set[T]) Add(x Writer[T], v *Versions, owner uint64, each func(yield func(slot uint32, obj *T))) {
	each(func(slot uint32, obj *T) {
		s.Fingerprints[slot] += x.StageNew(obj)
		x.Commit(v, owner, slot, true)
	})
	s.indexes = append(s.indexes, x)
}

// Stage computes the index values of the objects of a write to slot, nil for none, and finds out which indexes it
// changes. Readers see none of this.
func (s *Set[T]) Stage(old, new *T, slot uint32) {
	s.newFingerprint = 0
	for _, x := range s.indexes {
		s.newFingerprint += x.StageNew(new)
	}
	s.changedIndexes, s.oldValuesTrusted = s.indexes, true
	if old != nil {
		s.findChangedIndexes(old, s.Fingerprints[slot]-s.newFingerprint)
	}
}

// findChangedIndexes finds the indexes whose values an update or a delete changes. It asks the index functions about
// the old object only as far as needed. There is a fingerprint for each slot: the sum of the hashes of
// all index values of its object. So the difference of two fingerprints is the sum of the differences that
// the indexes make:
//
//	                   Node             App        Phase
//	 old object   h("n-1")        + h("web") + h("Running")    = Fingerprints[slot]
//	-new object   h("n-2")        + h("web") + h("Running")    = newFingerprint
//	              h("n-1")-h("n-2") +  0      +  0              = difference
//
// It asks one index after the other, and subtracts what it makes. When nothing is left, the indexes that
// were not asked make no difference. It begins with the index that changed last, which is likely to change
// again. If something is left in the end, the old object has other values than when it was stored: a
// function is impure, or the object was changed. Then all indexes must be visited, and the old values are
// not trusted.
func (s *Set[T]) findChangedIndexes(old *T, difference uint64) {
	s.changedIndexes = s.changedBuffer[:0]
	first := s.likelyChangedIndex
	for i := 0; difference != 0; i++ {
		if i == len(s.indexes) {
			s.changedIndexes, s.oldValuesTrusted = s.indexes, false
			return
		}
		n := (first + i) % len(s.indexes)
		if d := s.indexes[n].StageOld(old); d != 0 {
			difference -= d
			s.changedIndexes = append(s.changedIndexes, s.indexes[n])
			s.likelyChangedIndex = n
		}
	}
	s.changedBuffer = s.changedIndexes
}

// Note calls fire with the watchers of the staged values.
func (s *Set[T]) Note(fire func(*notify.Signal)) {
	for _, x := range s.indexes {
		x.Note(fire)
	}
}

// Commit writes the staged values to the indexes in v, for owner.
func (s *Set[T]) Commit(v *Versions, owner uint64, slot uint32) {
	for _, x := range s.changedIndexes {
		x.Commit(v, owner, slot, s.oldValuesTrusted)
	}
	if int(slot) == len(s.Fingerprints) {
		s.Fingerprints = append(s.Fingerprints, 0)
	}
	s.Fingerprints[slot] = s.newFingerprint
}

// Clear releases the memory of all objects; there are none.
func (s *Set[T]) Clear() { s.Fingerprints = nil }

// StageNew implements Writer.
func (x *Index[T, V]) StageNew(obj *T) uint64 {
	x.newValues.reset()
	x.oldValues.reset()
	if obj != nil {
		if err := x.computeValues(&x.newValues, *obj); err != nil {
			x.Report(err)
		}
	}
	x.newFingerprint = x.fingerprintOf(&x.newValues)
	return x.newFingerprint
}

// StageOld implements Writer.
func (x *Index[T, V]) StageOld(obj *T) (difference uint64) {
	_ = x.computeValues(&x.oldValues, *obj)
	return x.fingerprintOf(&x.oldValues) - x.newFingerprint
}

// computeValues puts the values of obj into q. If the function panics, it returns an error and q is empty: Add refuses
// types with values that cannot be hashed.
func (x *Index[T, V]) computeValues(q *hashedValues[V], obj T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Contained(r)
		}
	}()
	q.reset()
	// The function may return a slice of the object, which must not be written to.
	q.values = dropDuplicatesAndNaNs(append(q.values, x.Fn(q.values, obj)...))
	for _, value := range q.values {
		q.hashes = append(q.hashes, x.Hash(value))
	}
	return nil
}

// fingerprintOf returns a 64-bit sum over the index values of an object. Each value adds two
// hashes with different secret seeds: with one hash only, equal sums for different values
// could be found with some millions of tries.
func (x *Index[T, V]) fingerprintOf(q *hashedValues[V]) (sum uint64) {
	for i, hash := range q.hashes {
		sum += hash*0x9e3779b97f4a7c15 + maphash.Comparable(x.fingerprintSeed, q.values[i])
	}
	return sum
}

// Commit implements Writer.
func (x *Index[T, V]) Commit(v *Versions, owner uint64, slot uint32, trusted bool) {
	b := x.mutableBuckets(v, owner)
	oldSet, newSet := newValueSet(x.oldValues.values), newValueSet(x.newValues.values)
	for i, value := range x.oldValues.values {
		if trusted && !newSet.contains(value) {
			hash := x.oldValues.hashes[i]
			trusted = b.removeSlot(hash, b.Find(hash, value), slot)
		}
	}
	if !trusted {
		if !x.removeFromAllBuckets(b, slot) && !x.orderContradicted {
			x.Report(ErrImpure)
		}
		oldSet = valueSet[V]{} // removeFromAllBuckets has removed the slot everywhere
	}
	b.everMultiValued = b.everMultiValued || len(x.newValues.values) > 1
	for i, value := range x.newValues.values {
		if !oldSet.contains(value) && !b.addSlotIfOrderConsistent(x.newValues.hashes[i], value, slot) {
			x.Report(errOrder)
			x.orderContradicted = true
		}
	}
}

// removeFromAllBuckets removes slot from every bucket that has it, and reports whether those buckets were exactly the
// ones of the old values. It repairs the index after the function was found impure. It visits every
// bucket.
func (x *Index[T, V]) removeFromAllBuckets(b *Buckets[V], slot uint32) (matches bool) {
	var buckets []*posting.Bucket[V]
	b.Each(func(e *posting.Bucket[V]) bool {
		if e.Posting.Has(slot) {
			buckets = append(buckets, e)
		}
		return true
	})
	matches = len(buckets) == len(x.oldValues.values)
	if x.Watch.Watched() {
		// The store has noted the watchers of the values that were computed for the old object. The
		// index may hold it under others, so note their watchers too.
		x.Watch.Note(func(fire func(*notify.Signal)) {
			for _, e := range buckets {
				x.Watchers.Each([]V{e.Value}, fire)
			}
		})
	}
	for _, e := range buckets {
		matches = matches && slices.Contains(x.oldValues.values, e.Value)
		b.removeSlot(x.Hash(e.Value), e, slot)
	}
	return matches
}

// Contained returns the value of a recovered panic as an error.
func Contained(recovered any) error {
	if err, ok := recovered.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic: %v", recovered)
}
