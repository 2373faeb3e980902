// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"hash/maphash"
)

// StageNew implements Writer.
func (x *Index[T, V]) StageNew(obj *T) uint64 {
	x.newValues.reset()
	x.oldValues.reset()
	x.oldKnown, x.newFingerprint = false, 0
	if obj != nil {
		x.fill(&x.newValues, *obj)
		x.newFingerprint = x.fingerprint(x.newValues.values, x.newValues.hashes)
	}
	return x.newFingerprint
}

// StageOld implements Writer.
func (x *Index[T, V]) StageOld(obj *T) (difference uint64) {
	defer func() {
		if recover() != nil {
			x.oldValues.reset()
			difference = -x.newFingerprint
		}
	}()
	x.oldKnown = true
	x.fill(&x.oldValues, *obj)
	return x.fingerprint(x.oldValues.values, x.oldValues.hashes) - x.newFingerprint
}

// FailNew implements Writer.
func (x *Index[T, V]) FailNew(err error) {
	x.newValues.reset()
	x.newFingerprint = 0
	x.Report(err)
}

// ask puts the values of obj into q. If the function panics, or a value cannot be hashed, it
// returns an error and q is empty.
func (x *Index[T, V]) ask(q *result[V], obj T) (err error) {
	q.reset()
	defer func() {
		if r := recover(); r != nil {
			q.reset()
			err = Contained(r)
		}
	}()
	x.fill(q, obj)
	return nil
}

// fill is ask without recovery from panics.
func (x *Index[T, V]) fill(q *result[V], obj T) {
	values := x.Fn(q.values, obj)
	if sameArray(values, q.values) {
		q.values = values
	} else {
		// dst was too small, or the function returned a slice of the object, which must not
		// be written to.
		q.values = append(q.values, values...)
	}
	q.values = dedupe(q.values)
	for _, value := range q.values {
		q.hashes = append(q.hashes, x.Hash(value))
	}
}

// fingerprint returns a 64-bit sum over the index values of an object. Each value adds two
// hashes with different secret seeds: with one hash only, equal sums for different values
// could be found with some millions of tries.
func (x *Index[T, V]) fingerprint(values []V, hashes []uint64) (sum uint64) {
	for i, hash := range hashes {
		sum += hash*0x9e3779b97f4a7c15 + maphash.Comparable(x.seed, values[i])
	}
	return sum
}

// Contained returns the value of a recovered panic as an error.
func Contained(recovered any) error {
	if err, ok := recovered.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic: %v", recovered)
}

// prefetched has index values that are computed before their objects are written, for up to
// Lookahead objects at once, so that cache misses of index functions and hashes overlap.
type prefetched[V comparable] struct {
	result[V]
	ends         [Lookahead]int // of each object's part of Values and Hashes
	fingerprints [Lookahead]uint64
}

// Prefetch implements Writer.
func (x *Index[T, V]) Prefetch(objs []*T) {
	q := &x.prefetched
	q.reset()
	for i, obj := range objs {
		if obj != nil {
			q.add(x.Fn(q.values[len(q.values):], *obj))
		}
		q.ends[i] = len(q.values)
	}
	for _, value := range q.values {
		q.hashes = append(q.hashes, x.Hash(value))
	}
	begin := 0
	for i, end := range q.ends[:len(objs)] {
		q.fingerprints[i] = x.fingerprint(q.values[begin:end], q.hashes[begin:end])
		begin = end
	}
}

// add appends the values that an index function has returned.
func (q *prefetched[V]) add(values []V) {
	n := len(q.values)
	if sameArray(values, q.values[n:]) {
		q.values = q.values[:n+len(values)]
	} else {
		q.values = append(q.values, values...)
	}
	q.values = q.values[:n+len(dedupe(q.values[n:]))]
}

// StagePrefetched implements Writer.
func (x *Index[T, V]) StagePrefetched(i int) (fingerprint uint64) {
	q, begin := &x.prefetched, 0
	if i > 0 {
		begin = q.ends[i-1]
	}
	x.newValues.reset()
	x.oldValues.reset()
	x.newValues.values = append(x.newValues.values, q.values[begin:q.ends[i]]...)
	x.newValues.hashes = append(x.newValues.hashes, q.hashes[begin:q.ends[i]]...)
	x.oldKnown, x.newFingerprint = false, q.fingerprints[i]
	return x.newFingerprint
}
