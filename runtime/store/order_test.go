// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// aged returns a store with an index by age, and the errors that it reports.
func aged(t *testing.T, order func(a, b int) int) (
	s *store.Store[string, *item], byAge store.Ordered[string, *item, int], reported *[]error,
) {
	t.Helper()
	reported = new([]error)
	s = store.New(func(it *item) string { return it.key }, store.WithErrorHandler(func(err error) {
		*reported = append(*reported, err)
	}))
	byAge = store.AddOrdered(s, "age", ageOf, order)
	return s, byAge, reported
}

func TestReadWithAnOrderThatPanics(t *testing.T) {
	s, byAge, _ := aged(t, func(a, b int) int {
		if a == 13 || b == 13 {
			panic("no 13")
		}
		return cmp.Compare(a, b)
	})
	s.Set(&item{key: "x", age: 1})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of the order has not come to who asked for 13")
			}
		}()
		byAge.Count(s.Reader(), 13)
	}()
	// No lock was held: writing and reading go on.
	s.Set(&item{key: "y", age: 1})
	if n := byAge.Count(s.Reader(), 1); n != 2 {
		t.Errorf("%d, want 2", n)
	}
}

func TestOrderThatCallsDifferentValuesEqual(t *testing.T) {
	s, byAge, reported := aged(t, func(a, b int) int { return cmp.Compare(a/10, b/10) })
	r := s.Reader()
	s.Set(&item{key: "a", age: 11})
	s.Set(&item{key: "b", age: 12})
	var ie *store.IndexError
	if len(*reported) != 1 || !errors.As((*reported)[0], &ie) || ie.Index != "age" || ie.Key != "b" {
		t.Fatalf("reported %v", *reported)
	}
	if byAge.Count(r, 11) != 1 || byAge.Count(r, 12) != 0 {
		t.Errorf("11 has %d and 12 has %d objects", byAge.Count(r, 11), byAge.Count(r, 12))
	}
	s.Delete("a")
	s.Set(&item{key: "b", age: 25})
	s.Delete("b")
	if len(*reported) != 1 || byAge.Len(r) != 0 {
		t.Errorf("reported %v, %d values left", *reported, byAge.Len(r))
	}
}
