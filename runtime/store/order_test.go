// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// aged is a store with an index by age beside one by node, and what it reports.
func aged(t *testing.T, order func(a, b int) int) (s *store.Store[string, *item], byAge store.Ordered[string, *item, int], byNode store.Index[string, *item, string], reported *[]error) {
	t.Helper()
	reported = new([]error)
	s = store.New(func(it *item) string { return it.key }, store.WithErrorHandler(func(err error) { *reported = append(*reported, err) }))
	byAge = store.AddOrdered(s, "age", ageOf, order)
	return s, byAge, store.AddIndex(s, "node", nodeOf), reported
}

func TestOrderThatPanics(t *testing.T) {
	bad := -1
	s, byAge, byNode, reported := aged(t, func(a, b int) int {
		if a == bad || b == bad {
			panic("who is older?")
		}
		return cmp.Compare(a, b)
	})
	for i := range 200 {
		s.Set(&item{key: fmt.Sprint("k", i), age: i % 100, node: "n"})
	}
	r := s.Reader()
	expectReport := func(what string, key string) {
		t.Helper()
		var ie *store.IndexError
		if len(*reported) != 1 || !errors.As((*reported)[0], &ie) || ie.Index != "age" || key != "" && ie.Key != key {
			t.Errorf("%s: reported %v", what, *reported)
		}
		*reported = nil
	}

	// An object comes whose value has no place: it is stored all the same.
	bad = 100
	s.Set(&item{key: "x", age: 100, node: "n"})
	expectReport("comes", "x")
	if _, ok := r.Get("x"); !ok || byNode.Count(r, "n") != 201 || len(slices.Collect(byAge.Ascend(r, store.Span[int]{}))) != 200 {
		t.Error("x is not stored, or is where it has no place")
	}
	// It moves to a value that has one, and back, and goes; nothing is amiss.
	s.Set(&item{key: "x", age: 7, node: "n"})
	if n := byAge.Count(r, 7); n != 3 || len(*reported) > 0 {
		t.Errorf("after it has moved there are %d, want 3; reported %v", n, *reported)
	}
	s.Set(&item{key: "x", age: 100, node: "n"})
	expectReport("moves back", "x")
	s.Delete("x")
	if len(*reported) > 0 || byNode.Count(r, "n") != 200 {
		t.Errorf("after it has gone: reported %v", *reported)
	}

	// The order turns bad for a value that objects are under. They can still go.
	bad = 50
	s.Delete("k50")
	s.Set(&item{key: "k150", age: 3, node: "n"})
	*reported = nil
	bad = -1
	counts := map[int]int{}
	for age, n := range byAge.Values(r) {
		counts[age] = n
	}
	if counts[50] != 0 || counts[3] != 3 || len(counts) != 99 {
		t.Errorf("%d values, of which 50 has %d and 3 has %d objects", len(counts), counts[50], counts[3])
	}

	// In a batch, and with an index that is added to a full store.
	bad = 5
	if err := s.Replace([]*item{{key: "a", age: 5}, {key: "b", age: 6}}, "1"); err != nil {
		t.Fatal(err)
	}
	*reported = nil
	late := store.AddOrdered(s, "late", ageOf, func(a, b int) int {
		if a == 5 || b == 5 {
			panic("still unknown")
		}
		return cmp.Compare(a, b)
	})
	bad = -1
	for _, ix := range []store.Ordered[string, *item, int]{byAge, late} {
		for it := range ix.Ascend(r, store.Span[int]{}) {
			if it.key == "b" && ix.Count(r, 6) != 1 {
				t.Errorf("%s has lost b", ix.Name())
			}
		}
	}
}

func TestReadWithAnOrderThatPanics(t *testing.T) {
	s, byAge, _, _ := aged(t, func(a, b int) int {
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
	s, byAge, _, reported := aged(t, func(a, b int) int { return cmp.Compare(a/10, b/10) })
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

// Whatever an order says, each object is found by its key and its other
// indexes, nothing stale is left, and once it has its senses again a list
// brings all to where they belong.
func TestOrderThatLies(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 8))
		mad := true
		s, byAge, byNode, _ := aged(t, func(a, b int) int {
			if !mad || rng.IntN(8) > 0 {
				return cmp.Compare(a, b)
			}
			if rng.IntN(4) == 0 {
				panic("mad")
			}
			return rng.IntN(3) - 1
		})
		live := map[string]*item{}
		for range 1500 {
			key := fmt.Sprint("k", rng.IntN(300))
			if rng.IntN(3) == 0 {
				s.Delete(key)
				delete(live, key)
				continue
			}
			it := &item{key: key, age: rng.IntN(200), node: fmt.Sprint("n", rng.IntN(5))}
			s.Set(it)
			live[key] = it
		}
		mad = false
		r := s.Reader()
		byNodes := 0
		for _, n := range byNode.Values(r) {
			byNodes += n
		}
		if r.Len() != len(live) || byNodes != len(live) {
			t.Fatalf("seed %d: %d objects, %d by node, want %d", seed, r.Len(), byNodes, len(live))
		}
		for age, n := range byAge.Values(r) {
			if n == 0 {
				t.Fatalf("seed %d: an empty bucket is left", seed)
			}
			_ = age
		}
		for it := range byAge.Ascend(r, store.Span[int]{}) {
			if live[it.key] != it {
				t.Fatalf("seed %d: %v is stale", seed, it)
			}
		}
		s.Replace(nil, "1")
		if byAge.Len(r) != 0 {
			t.Fatalf("seed %d: %d values are left of nothing", seed, byAge.Len(r))
		}
		for _, it := range live {
			s.Set(it)
		}
		if got := slices.Collect(byAge.Ascend(r, store.Span[int]{})); len(got) != len(live) || !slices.IsSortedFunc(got, func(a, b *item) int { return a.age - b.age }) {
			t.Fatalf("seed %d: %d objects in order, want %d", seed, len(got), len(live))
		}
	}
}

// The first value of an index has none to be compared with. If its order panics for that
// one all the same, this is reported when the value comes, and not found out by who reads.
func TestOrderThatPanicsForTheFirstValue(t *testing.T) {
	for name, order := range map[string]func(a, b *int) int{
		"panics":            func(a, b *int) int { return cmp.Compare(*a, *b) },
		"is never equal":    func(_, _ *int) int { return 1 },
		"panics with a nil": func(_, _ *int) int { var none *int; return *none },
	} {
		var reported []error
		s := store.New(func(it *item) string { return it.key }, store.WithErrorHandler(func(err error) { reported = append(reported, err) }))
		ix := store.AddOrdered(s, "odd", func(dst []*int, _ *item) []*int { return append(dst, nil) }, order)
		s.Set(&item{key: "x"})
		r := s.Reader()
		if got := len(slices.Collect(ix.Ascend(r, store.Between(new(int), new(int))))); got != 0 || ix.Len(r) != 0 || r.Len() != 1 {
			t.Errorf("%s: it is in the index: %d, %d values", name, got, ix.Len(r))
		}
		var ie *store.IndexError
		if len(reported) != 1 || !errors.As(reported[0], &ie) || ie.Key != "x" {
			t.Errorf("%s: reported %v", name, reported)
		}
	}
}
