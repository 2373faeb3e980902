// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
)

// keyOrder returns the order of keys that "the lowest key" and pages go by: that of
// strings, of namespace and then name, or the one that the key type has in a method
// Compare; else, and for keys that this does not tell apart, that of what they
// consist of, field by field. It is 0 for equal keys only.
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
		return compareByMethod[K]
	default:
		return func(a, b K) int { return compareParts(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem()) }
	}
	return order.(func(a, b K) int)
}

// compareByMethod is the order of keys that have a method for it. Where that does not tell
// two apart, or panics, their parts do.
func compareByMethod[K comparable](a, b K) (c int) {
	defer func() {
		if recover() != nil {
			c = 0
		}
		if c == 0 && a != b {
			c = compareParts(reflect.ValueOf(&a).Elem(), reflect.ValueOf(&b).Elem())
		}
	}()
	return any(a).(interface{ Compare(K) int }).Compare(b)
}

// compareParts compares two values of one type, which can be keys: numbers and strings
// as such, structs and arrays part by part, interfaces by the types that they hold
// first. What is left, pointers and channels, has the order of addresses, which says
// nothing but stays.
func compareParts(a, b reflect.Value) int {
	switch a.Kind() {
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		return cmp.Compare(ordinal(a.Bool()), ordinal(b.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.Complex64, reflect.Complex128:
		return cmp.Or(cmp.Compare(real(a.Complex()), real(b.Complex())), cmp.Compare(imag(a.Complex()), imag(b.Complex())))
	case reflect.Struct:
		for i := range a.NumField() {
			if a.Type().Field(i).Name == "_" {
				continue // which == does not look at either
			}
			if c := compareParts(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Array:
		for i := range a.Len() {
			if c := compareParts(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
		return 0
	case reflect.Interface:
		return compareHeld(a, b)
	}
	return cmp.Compare(a.Pointer(), b.Pointer())
}

// compareHeld compares what two interfaces hold; nil comes first.
func compareHeld(a, b reflect.Value) int {
	if a.IsNil() || b.IsNil() {
		return cmp.Compare(ordinal(!a.IsNil()), ordinal(!b.IsNil()))
	}
	a, b = a.Elem(), b.Elem()
	if x, y := a.Type(), b.Type(); x != y {
		// Two types of one name are told apart by where they are described.
		return cmp.Or(cmp.Compare(x.String(), y.String()), cmp.Compare(x.PkgPath(), y.PkgPath()),
			cmp.Compare(reflect.ValueOf(x).Pointer(), reflect.ValueOf(y).Pointer()))
	}
	return compareParts(a, b)
}

func ordinal(b bool) int {
	if b {
		return 1
	}
	return 0
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
