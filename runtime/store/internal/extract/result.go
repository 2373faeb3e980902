// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package extract has the index values of one object.
package extract

import "slices"

// Result has the distinct values of an object and their hashes. Its memory is reused.
type Result[V comparable] struct {
	Values []V
	Hashes []uint64
}

// Reset empties the result. It clears the memory of more than 16 values, so that it does not
// hold references; fewer are overwritten by the next write.
func (q *Result[V]) Reset() {
	if len(q.Values) > 16 {
		clear(q.Values)
	}
	q.Values, q.Hashes = q.Values[:0], q.Hashes[:0]
}

// SameArray reports whether two slices begin at the same element.
func SameArray[V any](a, b []V) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}

// manyValues is the most values that are searched one by one, and not in a map.
const manyValues = 32

// Among looks up values in a set, which is a map if it is large. An object may have thousands
// of values.
type Among[V comparable] struct {
	few  []V
	many map[V]struct{}
}

// Amongst returns the set of values.
func Amongst[V comparable](values []V) Among[V] {
	if len(values) <= manyValues {
		return Among[V]{few: values}
	}
	many := make(map[V]struct{}, len(values))
	for _, v := range values {
		many[v] = struct{}{}
	}
	return Among[V]{many: many}
}

// Has reports whether the set has value.
func (a Among[V]) Has(value V) bool {
	if a.many != nil {
		_, ok := a.many[value]
		return ok
	}
	return slices.Contains(a.few, value)
}

// Dedupe drops duplicate values and NaNs in place. No query could find a NaN, because it does
// not equal itself.
func Dedupe[V comparable](values []V) []V {
	if len(values) == 0 || len(values) == 1 && values[0] == values[0] {
		return values
	}
	kept := values[:0]
	if len(values) > manyValues {
		seen := make(map[V]struct{}, len(values))
		for _, v := range values {
			if _, dup := seen[v]; !dup && v == v {
				seen[v] = struct{}{}
				kept = append(kept, v)
			}
		}
		return kept
	}
	for _, v := range values {
		if v == v && !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}
