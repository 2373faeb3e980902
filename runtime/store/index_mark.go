// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"hash/maphash"
	"reflect"
)

// mark sums up under which values of this index an object is. Each value counts
// with two hashes of different secret seeds: one of the two alone can be made to
// agree for two long values, with some millions of tries.
func (x *index[K, T, V]) mark(values []V, hashes []uint64) (sum uint64) {
	for i, hash := range hashes {
		sum += hash*0x9e3779b97f4a7c15 + maphash.Comparable(x.seed, values[i])
	}
	return sum
}

// letGo is called when a write is done. A string keeps nothing alive but itself, and serves
// until the next write overwrites it; a pointer may be to the object that has been deleted.
func (x *index[K, T, V]) letGo() {
	if x.refers {
		clear(x.now.values[:cap(x.now.values)])
		clear(x.was.values[:cap(x.was.values)])
		clear(x.ahead.values[:cap(x.ahead.values)])
	}
}

// hasPart reports whether t, a comparable type, or a type that its values consist of is
// one of some kinds.
func hasPart(t reflect.Type, kinds ...reflect.Kind) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPart(t.Elem(), kinds...)
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPart(t.Field(i).Type, kinds...) {
				return true
			}
		}
	}
	for _, k := range kinds {
		if t.Kind() == k {
			return true
		}
	}
	return false
}
