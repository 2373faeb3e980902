// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import "reflect"

// Worth reports whether to call Value for a place, which would report no value otherwise. It spares the
// caller to find the end of the text.
func (c *Cache) Worth(place int) bool { return c.sites.At(place).Worth() }

// Value returns the value that was decoded from raw at the same place before, and the memory that it
// takes in bytes. If there is none, the value is invalid, and keep says whether to call Keep after
// decoding.
func (c *Cache) Value(place int, raw []byte) (v reflect.Value, size int, keep bool) {
	s, m := c.sites.At(place), &c.values
	if len(raw) < minValue || !s.Worth() {
		return v, 0, false
	}
	if len(raw) > MaxValue {
		s.Note(false)
		return v, 0, false
	}
	found, ok := m.young[origin{place, string(raw)}]
	if !ok {
		if found, ok = m.old[origin{place, string(raw)}]; ok {
			m.put(place, raw, found.value, found.bytes)
		}
	}
	s.Note(ok)
	return found.value, found.bytes, !ok
}

// Keep caches a value that was decoded from raw and takes size bytes of memory.
func (c *Cache) Keep(place int, raw []byte, v reflect.Value, size int) {
	value := reflect.New(v.Type()).Elem() // v is in an object, which must not be kept alive
	value.Set(v)
	c.values.put(place, raw, value, size)
}

// SizeOfMap estimates the memory of a map of n entries, without what they point to. Go's maps have a
// power of two of slots and use at most seven eighths of them.
func SizeOfMap(t reflect.Type, n int) int {
	const header = 96
	slot := int(t.Key().Size()+t.Elem().Size()) + 1 // a byte of the hash
	slots := 8
	for slots/8*7 < n {
		slots *= 2
	}
	return header + slots*slot
}
