// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"k8s.io/apimachinery/pkg/types"
)

// keyOrder returns the order of keys, which decides what the lowest key is and in which order
// pages go. It is the method Compare of a key, if it has one; else strings go by value, names
// by namespace and then name, and other keys by their Go syntax (%#v).
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

// lowest returns the object with the lowest key among slots of a frozen
// version; there is at least one.
func (s *Store[K, T]) lowest(v *version[K, T], p *posting.Posting) (lowest T) {
	var (
		key   K
		first = true
	)
	p.Each(func(slot uint32) bool {
		if k := s.keyAt(v, slot); first || s.order(k, key) < 0 {
			key, lowest, first = k, v.slots.At(slot), false
		}
		return true
	})
	return lowest
}
