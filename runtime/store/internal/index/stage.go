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
	if obj != nil {
		if err := x.values(&x.newValues, *obj); err != nil {
			x.Report(err)
		}
	}
	x.newFingerprint = x.fingerprint(&x.newValues)
	return x.newFingerprint
}

// StageOld implements Writer.
func (x *Index[T, V]) StageOld(obj *T) (difference uint64) {
	_ = x.values(&x.oldValues, *obj)
	return x.fingerprint(&x.oldValues) - x.newFingerprint
}

// values puts the values of obj into q. If the function panics, it returns an error and q is empty: Add refuses
// types with values that cannot be hashed.
func (x *Index[T, V]) values(q *result[V], obj T) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = Contained(r)
		}
	}()
	q.reset()
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
	return nil
}

// fingerprint returns a 64-bit sum over the index values of an object. Each value adds two
// hashes with different secret seeds: with one hash only, equal sums for different values
// could be found with some millions of tries.
func (x *Index[T, V]) fingerprint(q *result[V]) (sum uint64) {
	for i, hash := range q.hashes {
		sum += hash*0x9e3779b97f4a7c15 + maphash.Comparable(x.seed, q.values[i])
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
