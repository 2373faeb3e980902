// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package extract has what an index function says of an object.
package extract

import "slices"

// Result is what an index function has said of an object: distinct values, and
// their hashes. Its memory serves again.
type Result[V comparable] struct {
	Values []V
	Hashes []uint64
}

// Reset forgets the values. Of few it keeps what they point to until the next
// write overwrites it.
func (q *Result[V]) Reset() {
	if len(q.Values) > 16 {
		clear(q.Values)
	}
	q.Values, q.Hashes = q.Values[:0], q.Hashes[:0]
}

// SameArray reports whether two slices begin at one place.
func SameArray[V any](a, b []V) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}

// manyValues is of how many values a table is made to look them up.
const manyValues = 32

// Among tells whether a value is one of some: a table does, if they are many, for an object
// of thousands of values is compared with another.
type Among[V comparable] struct {
	few  []V
	many map[V]struct{}
}

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

func (a Among[V]) Has(value V) bool {
	if a.many != nil {
		_, ok := a.many[value]
		return ok
	}
	return slices.Contains(a.few, value)
}

// Dedupe drops values that are there twice, and those that equal not even
// themselves (a float's NaN) and so could never be asked for.
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
