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

// valueSet looks up values in a set, which is a map if it is large. An object may have thousands
// of values.
type valueSet[V comparable] struct {
	slice []V
	set   map[V]struct{}
}

// setOf returns the set of values.
func setOf[V comparable](values []V) valueSet[V] {
	if len(values) <= manyValues {
		return valueSet[V]{slice: values}
	}
	set := make(map[V]struct{}, len(values))
	for _, v := range values {
		set[v] = struct{}{}
	}
	return valueSet[V]{set: set}
}

// has reports whether the set has value.
func (a valueSet[V]) has(value V) bool {
	if a.set != nil {
		_, ok := a.set[value]
		return ok
	}
	return slices.Contains(a.slice, value)
}

// dedupe drops duplicate values and NaNs in place. No query could find a NaN, because it does
// not equal itself.
func dedupe[V comparable](values []V) []V {
	if len(values) == 1 && values[0] == values[0] {
		return values
	}
	distinct := values[:0]
	if len(values) > manyValues {
		seen := make(map[V]struct{}, len(values))
		for _, v := range values {
			if _, again := seen[v]; !again && v == v {
				seen[v] = struct{}{}
				distinct = append(distinct, v)
			}
		}
		return distinct
	}
	for _, v := range values {
		if v == v && !slices.Contains(distinct, v) {
			distinct = append(distinct, v)
		}
	}
	return distinct
}
