// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package query has what queries are made of: sets of slots, and runs over their objects.
package query

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// Set is a set of slots of one version of a store.
type Set interface {
	// AtMost returns an upper bound of the number of slots, to choose the smallest set.
	AtMost() int
	// Has reports whether the set has slot, which has an object.
	Has(slot uint32) bool
	// Each calls yield with every slot once until it returns false.
	Each(yield func(slot uint32) bool) bool
}

// None is the empty set.
var None = &posting.Posting{}

// Intersection is the intersection of its sets. The smallest one is the first.
type Intersection []Set

func (s Intersection) AtMost() int { return s[0].AtMost() }

func (s Intersection) Has(slot uint32) bool {
	for _, set := range s {
		if !set.Has(slot) {
			return false
		}
	}
	return true
}

func (s Intersection) Each(yield func(uint32) bool) bool {
	rest := s[1:]
	return s[0].Each(func(slot uint32) bool { return !rest.Has(slot) || yield(slot) })
}

// Union is the union of its sets.
type Union []Set

func (s Union) AtMost() (n int) {
	for _, set := range s {
		n += set.AtMost()
	}
	return n
}

func (s Union) Has(slot uint32) bool {
	return slices.ContainsFunc(s, func(set Set) bool { return set.Has(slot) })
}

// manySets is the most sets of a union that are searched for duplicates one by one. A union of
// more sets has a map of the visited slots.
const manySets = 8

func (s Union) Each(yield func(uint32) bool) bool {
	if len(s) > manySets {
		return s.eachDistinct(yield)
	}
	for i, set := range s {
		before := s[:i]
		if !set.Each(func(slot uint32) bool { return before.Has(slot) || yield(slot) }) {
			return false
		}
	}
	return true
}

func (s Union) eachDistinct(yield func(uint32) bool) bool {
	seen := make(map[uint32]struct{}, min(s.AtMost(), Gathered))
	once := func(slot uint32) bool {
		if _, again := seen[slot]; again {
			return true
		}
		seen[slot] = struct{}{}
		return yield(slot)
	}
	for _, set := range s {
		if !set.Each(once) {
			return false
		}
	}
	return true
}

// Disjoint is a union of disjoint sets, such as the postings of one label key.
type Disjoint []Set

func (s Disjoint) AtMost() int          { return Union(s).AtMost() }
func (s Disjoint) Has(slot uint32) bool { return Union(s).Has(slot) }
func (s Disjoint) Each(yield func(uint32) bool) bool {
	for _, set := range s {
		if !set.Each(yield) {
			return false
		}
	}
	return true
}

// Difference has the slots of From that Minus does not have.
type Difference struct{ From, Minus Set }

func (s *Difference) AtMost() int          { return s.From.AtMost() }
func (s *Difference) Has(slot uint32) bool { return s.From.Has(slot) && !s.Minus.Has(slot) }
func (s *Difference) Each(yield func(uint32) bool) bool {
	return s.From.Each(func(slot uint32) bool { return s.Minus.Has(slot) || yield(slot) })
}
