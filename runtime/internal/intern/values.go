// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package intern

import "reflect"

// Share sets v to the value that was decoded from raw at the same place before, or else calls decode,
// which sets v and returns the memory that the value takes.
func (c *Cache) Share(place int, v reflect.Value, raw []byte, decode func() (size int, err error)) error {
	found, ok, keep := c.values.get(c.sites.At(place), place, raw)
	if ok {
		v.Set(found)
		return nil
	}
	size, err := decode()
	if err == nil && keep {
		value := reflect.New(v.Type()).Elem() // v is in an object, which must not be kept alive
		value.Set(v)
		c.values.put(place, raw, value, size)
	}
	return err
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
