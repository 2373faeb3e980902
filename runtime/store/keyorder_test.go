// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"math"
	"slices"
	"testing"
)

// paged reads an ordered index page by page.
func paged[K, V comparable, T any](ix Ordered[K, T, V], r Reader[K, T], limit int) (objs []T) {
	for c, more := (Cursor[K, V]{}), true; more; more = c.Set {
		var page []T
		page, c = ix.Page(r, Range[V]{}, c, limit)
		objs = append(objs, page...)
	}
	return objs
}

type of[K comparable] struct{ key K }

// inOrder tests that keys, which are given in order, come so on pages of one, each once,
// and that the order tells all of them apart.
func inOrder[K comparable](t *testing.T, keys ...K) {
	t.Helper()
	s := New(func(o *of[K]) K { return o.key })
	ix := AddOrdered(s, "all", func(dst []int, _ *of[K]) []int { return append(dst, 1) }, cmp.Compare)
	for _, key := range slices.Backward(keys) {
		if err := s.Set(&of[K]{key}); err != nil {
			t.Fatal(err)
		}
	}
	var got []K
	for _, o := range paged(ix, s.Reader(), 1) {
		got = append(got, o.key)
	}
	if !slices.Equal(got, keys) {
		t.Errorf("got  %v\nwant %v", got, keys)
	}
	for i, a := range keys {
		for j, b := range keys {
			if c := s.order(a, b); c != cmp.Compare(i, j) {
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

func TestPagesHaveKeysThatPrintAlike(t *testing.T) {
	type joined struct{ a, b string }
	inOrder(t, joined{"a b", "c"}, joined{"a", "b c"}, joined{"a", "c"})
	inOrder(t, named{"a", "b"}, named{"a", "c"}, named{"b", "a"})
	inOrder(t, 0, 10, 9)
	inOrder[defined](t, "", "a", "b")
	inOrder(t, cluster{"b", "a"}, cluster{"a", "b"})
	inOrder(t, [2]string{"a b", "c"}, [2]string{"a", "b c"})
}

// counted is a key that counts how often it is compared.
type counted int

var comparisons int

func (c counted) Compare(o counted) int { comparisons++; return cmp.Compare(c, o) }

// A page of as many as there are, however that is said, is sorted a few times, and not
// once for each object.
func TestPageOfAnyLimit(t *testing.T) {
	const n = 2000
	s := New(func(o *of[counted]) counted { return o.key })
	ix := AddOrdered(s, "all", func(dst []int, _ *of[counted]) []int { return append(dst, 1) }, cmp.Compare)
	for i := range n {
		_ = s.Set(&of[counted]{counted(i * 7919 % n)})
	}
	for _, limit := range []int{n - 1, n, n + 1, math.MaxInt/2 - 5, math.MaxInt/2 - 4, math.MaxInt/2 - 3, math.MaxInt / 2, math.MaxInt - 8, math.MaxInt} {
		comparisons = 0
		page, c := ix.Page(s.Reader(), Range[int]{}, Cursor[counted, int]{}, limit)
		if len(page) != min(n, limit) || c.Set != (limit <= n) {
			t.Errorf("limit %d: %d objects, and more: %v", limit, len(page), c.Set)
		}
		if comparisons > 40*n {
			t.Errorf("limit %d: %d comparisons", limit, comparisons)
		}
		if !slices.IsSortedFunc(page, func(a, b *of[counted]) int { return int(a.key - b.key) }) {
			t.Errorf("limit %d: not in order", limit)
		}
	}
}
