// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/types"
)

// keyOrder returns the order of keys that "the lowest key" and pages go by:
// that of strings, of namespace and then name, or the one that the key type
// has in a method Compare; else that of what fmt prints.
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
		return func(a, b K) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	}
	return order.(func(a, b K) int)
}

// lowest returns the object with the lowest key among slots of a frozen
// version; there is at least one.
func (s *Store[K, T]) lowest(v *version[K, T], p *posting) (lowest T) {
	var (
		key   K
		first = true
	)
	p.each(func(slot uint32) bool {
		if k := s.keyAt(v, slot); first || s.order(k, key) < 0 {
			key, lowest, first = k, v.slots.at(slot), false
		}
		return true
	})
	return lowest
}
