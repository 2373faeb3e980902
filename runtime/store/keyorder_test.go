// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"slices"
	"testing"
)

type keyed[K comparable] struct{ key K }

// testKeyOrder checks that the lowest of keys, which are given in order, is the first, and
// that the order distinguishes all of them.
func testKeyOrder[K comparable](t *testing.T, keys ...K) {
	t.Helper()
	s := New(func(o *keyed[K]) K { return o.key })
	ix := AddUnique(s, "all", func(dst []int, _ *keyed[K]) []int { return append(dst, 1) })
	for _, key := range slices.Backward(keys) {
		if err := s.Set(&keyed[K]{key}); err != nil {
			t.Fatal(err)
		}
	}
	if o, _ := ix.Get(s.Reader(), 1); o.key != keys[0] {
		t.Errorf("the lowest key is %#v, want %#v", o.key, keys[0])
	}
	for i, a := range keys {
		for j, b := range keys {
			if c := s.keyFuncs.Order(a, b); c != cmp.Compare(i, j) {
				t.Errorf("%#v and %#v: %d", a, b, c)
			}
		}
	}
}

// defined is a key of a type of its own.
type defined string

// cluster is a key with an order of its own.
type cluster struct{ name, first string }

func (c cluster) Compare(o cluster) int { return cmp.Compare(c.first, o.first) }

// named prints as another value does.
type named struct{ a, b string }

func (named) String() string { return "a key" }

func TestKeyOrder(t *testing.T) {
	type joined struct{ a, b string }
	testKeyOrder(t, joined{"a b", "c"}, joined{"a", "b c"}, joined{"a", "c"})
	testKeyOrder(t, named{"a", "b"}, named{"a", "c"}, named{"b", "a"})
	testKeyOrder(t, 0, 10, 9)
	testKeyOrder[defined](t, "", "a", "b")
	testKeyOrder(t, cluster{"b", "a"}, cluster{"a", "b"})
	testKeyOrder(t, [2]string{"a b", "c"}, [2]string{"a", "b c"})
}
