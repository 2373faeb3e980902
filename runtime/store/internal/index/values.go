// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import "slices"

// result has the distinct index values of an object and their hashes. Its memory is reused.
type result[V comparable] struct {
	values []V
	hashes []uint64
}

// reset empties the result. It clears the memory of more than 16 values, so that it does not
// hold references; fewer are overwritten by the next write.
func (q *result[V]) reset() {
	if len(q.values) > 16 {
		clear(q.values)
	}
	q.values, q.hashes = q.values[:0], q.hashes[:0]
}

// sameArray reports whether two slices begin at the same element.
func sameArray[V any](a, b []V) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}

// manyValues is the most values that are searched one by one, and not in a map.
const manyValues = 32

// valueSet looks up distinct values, in a map if they are many. An object may have thousands of them.
type valueSet[V comparable] struct {
	values []V
	set    map[V]struct{}
}

// setOf returns the set of distinct values.
func setOf[V comparable](values []V) valueSet[V] {
	s := valueSet[V]{values: values}
	if len(values) > manyValues {
		s.set = make(map[V]struct{}, len(values))
		for _, v := range values {
			s.set[v] = struct{}{}
		}
	}
	return s
}

// has reports whether the set has value.
func (s valueSet[V]) has(value V) bool {
	if s.set != nil {
		_, ok := s.set[value]
		return ok
	}
	return slices.Contains(s.values, value)
}

// dedupe drops duplicate values and NaNs in place. No query could find a NaN, because it does
// not equal itself.
func dedupe[V comparable](values []V) []V {
	distinct := valueSet[V]{values: values[:0]}
	if len(values) > manyValues {
		distinct.set = make(map[V]struct{}, len(values))
	}
	for _, v := range values {
		if v != v || distinct.has(v) {
			continue
		}
		distinct.values = append(distinct.values, v)
		if distinct.set != nil {
			distinct.set[v] = struct{}{}
		}
	}
	return distinct.values
}
