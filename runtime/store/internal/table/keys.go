// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package table has the objects of a store: by slot, and the slots by key.
package table

import (
	"cmp"
	"fmt"
	"hash/maphash"

	"k8s.io/apimachinery/pkg/types"
)

// Keys reads, hashes and orders the keys of a store.
type Keys[K comparable, T any] struct {
	Of     func(T) K
	Derive bool // Of is cheap: keys are read from the objects and not stored
	Seed   maphash.Seed
	Order  func(a, b K) int
}

// NewKeys returns Keys that are read by of.
func NewKeys[K comparable, T any](keyOf func(T) K, derive bool) *Keys[K, T] {
	return &Keys[K, T]{Of: keyOf, Derive: derive, Seed: maphash.MakeSeed(), Order: keyOrder[K]()}
}

// Hash returns the hash of a key.
func (k *Keys[K, T]) Hash(key K) uint64 { return maphash.Comparable(k.Seed, key) }

// keyOrder returns the order of keys, which defines the lowest key. Strings are ordered by
// value, NamespacedNames by namespace and then name, keys with a Compare method by it, and other
// keys by their Go syntax (%#v).
func keyOrder[K comparable]() func(a, b K) int {
	var order any
	switch any(*new(K)).(type) {
	case string:
		order = cmp.Compare[string]
	case types.NamespacedName:
		order = func(a, b types.NamespacedName) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		}
	case interface{ Compare(K) int }:
		return func(a, b K) int { return any(a).(interface{ Compare(K) int }).Compare(b) }
	default:
		return func(a, b K) int { return cmp.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)) }
	}
	return order.(func(a, b K) int)
}
