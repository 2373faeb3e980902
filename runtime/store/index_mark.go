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

// hasInterface reports whether t, a comparable type, is an interface or contains one.
func hasInterface(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Array:
		return hasInterface(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasInterface(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}
