// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import "slices"

// hashedValues has the distinct index values of an object and their hashes. Its memory is reused.
type hashedValues[V comparable] struct {
	values []V
	hashes []uint64
}

// reset empties the result. It clears the memory of more than 16 values, so that it does not
// hold references; fewer are overwritten by the next write.
func (q *hashedValues[V]) reset() {
	if len(q.values) > 16 {
		clear(q.values)
	}
	q.values, q.hashes = q.values[:0], q.hashes[:0]
}

// manyValues is the most values that are searched one by one, and not in a map.
const manyValues = 32

// valueSet looks up distinct values, in a map if they are many. An object may have thousands of them.
type valueSet[V comparable] struct {
	values []V
	lookup map[V]struct{}
}

// newValueSet returns the set of distinct values.
func newValueSet[V comparable](values []V) valueSet[V] {
	s := valueSet[V]{values: values}
	if len(values) > manyValues {
		s.lookup = make(map[V]struct{}, len(values))
		for _, v := range values {
			s.lookup[v] = struct{}{}
		}
	}
	return s
}

// contains reports whether the set has value.
func (s valueSet[V]) contains(value V) bool {
	if s.lookup != nil {
		_, ok := s.lookup[value]
		return ok
	}
	return slices.Contains(s.values, value)
}

// dropDuplicatesAndNaNs drops duplicate values and NaNs in place. No query could find a NaN, because it does
// not equal itself.
func dropDuplicatesAndNaNs[V comparable](values []V) []V {
	distinct := valueSet[V]{values: values[:0]}
	if len(values) > manyValues {
		distinct.lookup = make(map[V]struct{}, len(values))
	}
	for _, v := range values {
		if v != v || distinct.contains(v) {
			continue
		}
		distinct.values = append(distinct.values, v)
		if distinct.lookup != nil {
			distinct.lookup[v] = struct{}{}
		}
	}
	return distinct.values
}
