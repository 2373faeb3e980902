// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// Gathered is the most slots that are gathered before a loop over a query begins.
const Gathered = 1024

// Gather appends the slots of a set to dst. It copies whole postings, and filters what it has copied.
// Without it, by a call for each slot, combined queries take 1.4 to 1.7 times as long.
func Gather(dst []uint32, s Set) []uint32 {
	switch s := s.(type) {
	case *posting.Posting:
		return s.AppendTo(dst)
	case Disjoint:
		dst = slices.Grow(dst, s.AtMost())
		for _, set := range s {
			dst = Gather(dst, set)
		}
		return dst
	case Intersection:
		all := Gather(dst, s[0])
		for _, set := range s[1:] {
			all = all[:len(dst)+filterInPlace(all[len(dst):], set, true)]
		}
		return all
	case *Difference:
		all := Gather(dst, s.From)
		return all[:len(dst)+filterInPlace(all[len(dst):], s.Minus, false)]
	}
	return append(dst, gatherOneByOne(s)...)
}

func gatherOneByOne(s Set) []uint32 {
	slots := make([]uint32, 0, min(s.AtMost(), 32))
	s.Each(func(slot uint32) bool { slots = append(slots, slot); return true })
	return slots
}

// filterInPlace moves the slots with s.Has(slot) == having to the front, in order, and returns their number. It asks
// for all slots at once: by a search for each, a question to two indexes takes a tenth longer or more.
func filterInPlace(slots []uint32, s Set, having bool) (n int) {
	var array [Gathered]bool
	in := array[:len(slots)]
	markMembers(in, slots, s)
	for i, slot := range slots {
		if in[i] == having {
			slots[n] = slot
			n++
		}
	}
	return n
}

// markMembers sets in for each slot that s has.
func markMembers(in []bool, slots []uint32, s Set) {
	switch s := s.(type) {
	case *posting.Posting:
		s.Mark(in, slots)
	case Union:
		for _, set := range s {
			markMembers(in, slots, set)
		}
	case Disjoint:
		markMembers(in, slots, Union(s))
	default:
		for i, slot := range slots {
			in[i] = in[i] || s.Has(slot)
		}
	}
}
