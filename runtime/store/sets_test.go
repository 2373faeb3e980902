// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
)

// counting is a set, and a query for it, that counts how it is used.
type counting struct {
	posting.Posting
	asked, visited int
}

func (c *counting) Has(slot uint32) bool { c.asked++; return c.Posting.Has(slot) }
func (c *counting) Each(yield func(uint32) bool) bool {
	return c.Posting.Each(func(slot uint32) bool { c.visited++; return yield(slot) })
}
func (c *counting) matchingSlots(Reader[string, *valued]) query.Set { return c }
func (c *counting) Watch(*notify.List, *notify.Signal) func()       { return func() {} }

// The cost of an intersection is about that of its smallest query.
func TestSetsVisitTheSmallest(t *testing.T) {
	s, _ := valuedStore()
	for i := range 4000 {
		s.Set(&valued{key: fmt.Sprint(i)})
	}
	every := func(n uint32) *counting {
		c := &counting{}
		for slot := uint32(0); slot < 4000; slot += n {
			c.Add(0, slot)
		}
		return c
	}
	query := func(c *counting) Query[string, *valued] { return Query[string, *valued]{c} }
	small, large, all := every(200), every(2), every(1)
	for name, q := range map[string]Query[string, *valued]{
		"two":           AllOf(query(large), query(small)),
		"three":         AllOf(query(all), query(large), query(small)),
		"but":           query(small).Except(query(large)),
		"nested":        AllOf(query(all), AllOf(query(large), query(small))),
		"any of others": AllOf(AnyOf(query(large), query(all)), query(small)),
	} {
		for _, c := range []*counting{small, large, all} {
			c.asked, c.visited = 0, 0
		}
		want := small.Len()
		if name == "but" {
			want = 0
		}
		got := 0
		for range q.Get(s.Reader()) {
			got++
		}
		if got != want || small.visited != small.Len() || large.visited+all.visited > 0 ||
			large.asked+all.asked > 2*small.Len() {
			t.Errorf(
				"%s: %d objects, want %d; of 20, 2000 and 4000 it visited %d, %d, %d and asked for %d, %d, %d",
				name,
				got,
				want,
				small.visited,
				large.visited,
				all.visited,
				small.asked,
				large.asked,
				all.asked,
			)
		}
	}
}

// A selector visits the objects of the requirement with the fewest.
func TestSelectorVisitsTheSmallest(t *testing.T) {
	small, some, all := &counting{}, &counting{}, &counting{}
	for slot := range uint32(1000) {
		all.Add(0, slot)
		if slot < 100 {
			some.Add(0, slot)
		}
		if slot < 10 {
			small.Add(0, slot)
		}
	}
	var three posting.Posting
	three.Add(0, 3)
	got := query.Gather(nil, intersectPostings([]query.Union{{all}, {some, some}, {small}}, []query.Union{{&three}}))
	if len(got) != 9 || small.visited != 10 || some.visited+all.visited > 0 || some.asked > 20 ||
		all.asked > 10 {
		t.Errorf("found %v; of 10, 100 and 1000 it visited %d, %d, %d and asked for %d, %d, %d", got,
			small.visited, some.visited, all.visited, small.asked, some.asked, all.asked)
	}
}

// Gather returns the same slots as Each and Has.
func TestGatherAgainstEach(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	leaf := func() query.Set {
		p := &posting.Posting{}
		for range rng.IntN([]int{2, 30, 700}[rng.IntN(3)]) {
			p.Add(0, uint32(rng.IntN(900)))
		}
		return p
	}
	var random func(depth int) query.Set
	random = func(depth int) query.Set {
		if depth == 0 {
			return leaf()
		}
		a, b, c := random(depth-1), random(depth-1), random(depth-1)
		switch rng.IntN(6) {
		case 0:
			return query.Intersection{a, b}
		case 1:
			return &query.Difference{From: a, Minus: b}
		case 2:
			return query.Intersection{a, b, c}
		case 3:
			return query.Union{a, b, c, leaf(), leaf(), leaf()}
		case 4:
			return query.Disjoint{leaf()}
		}
		return a
	}
	for range 3000 {
		s := random(rng.IntN(4))
		var want []uint32
		s.Each(func(slot uint32) bool { want = append(want, slot); return true })
		got := query.Gather([]uint32{7}, s)
		if !slices.Equal(got[1:], want) || got[0] != 7 {
			t.Fatalf("%T: gathered %v, want %v", s, got, want)
		}
	}
}

// A union of many queries visits each of them once, and looks up no object in all earlier ones.
func TestAnyOfManyLooksNothingUp(t *testing.T) {
	s, _ := valuedStore()
	for i := range 4000 {
		s.Set(&valued{key: fmt.Sprint(i)})
	}
	var (
		all []*counting
		qs  []Query[string, *valued]
	)
	for i := range uint32(100) {
		c := &counting{}
		for slot := range uint32(40) {
			c.Add(0, (i*20+slot)%4000)
		}
		all, qs = append(all, c), append(qs, Query[string, *valued]{c})
	}
	q := AnyOf(qs...)
	if n := q.Count(s.Reader()); n != 2020 {
		t.Errorf("%d objects, want 2020", n)
	}
	n := 0
	for range q.Get(s.Reader()) {
		if n++; n == 7 {
			break
		}
	}
	asked, visited := 0, 0
	for _, c := range all {
		asked, visited = asked+c.asked, visited+c.visited
	}
	if n != 7 || asked > 0 || visited > 2*4000 {
		t.Errorf("stopped at %d; asked %d times, visited %d", n, asked, visited)
	}
}
