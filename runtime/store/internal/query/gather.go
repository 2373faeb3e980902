// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// Gathered is the most slots that are gathered before a loop over a query begins, which is
// faster than a call for each slot.
const Gathered = 1024

// Gather appends the slots of a set to dst. It copies the slots of one operand to an array, and
// filters the array by each of the others. Loops over arrays are faster than a call for each
// slot.
func Gather(dst []uint32, s Set) []uint32 {
	from := len(dst)
	var few [4]sieving
	sieves := few[:0]
	for innermost := false; !innermost; {
		switch outer := s.(type) {
		case *Difference:
			s, sieves = outer.From, append(sieves, sieving{outer.What, false})
		case Intersection:
			s = outer[0]
			for _, one := range outer[1:] {
				sieves = append(sieves, sieving{one, true})
			}
		default:
			innermost = true
		}
	}
	if parts, ok := s.(Disjoint); ok {
		dst = slices.Grow(dst, s.AtMost())
		for _, one := range parts {
			dst = gatherOne(dst, one)
		}
	} else {
		dst = gatherOne(dst, s)
	}
	n := len(dst) - from
	for i := len(sieves) - 1; i >= 0; i-- {
		n = sieve(dst[from:from+n], sieves[i].Set, sieves[i].having)
	}
	return dst[:from+n]
}

// sieving is a filter of slots.
type sieving struct {
	Set
	having bool // whether the slots of Set pass, or the others
}

// gatherOne appends the slots of a set without filters.
func gatherOne(dst []uint32, s Set) []uint32 {
	if p, ok := s.(*posting.Posting); ok {
		return p.AppendTo(dst)
	}
	return append(dst, gatherEach(s)...)
}

func gatherEach(s Set) []uint32 {
	slots := make([]uint32, 0, min(s.AtMost(), 32))
	s.Each(func(slot uint32) bool { slots = append(slots, slot); return true })
	return slots
}

// sieve moves the slots with s.Has(slot) == having to the front, in order, and returns their
// number.
func sieve(slots []uint32, s Set, having bool) (n int) {
	switch s := s.(type) {
	case *posting.Posting:
		var at posting.Seeker
		for _, slot := range slots {
			if at.Has(s, slot) == having {
				slots[n] = slot
				n++
			}
		}
		return n
	case Union:
		return sieveAny(slots, s, having)
	case Disjoint:
		return sieveAny(slots, s, having)
	}
	for _, slot := range slots {
		if s.Has(slot) == having {
			slots[n] = slot
			n++
		}
	}
	return n
}

func sieveAny(slots []uint32, sets []Set, having bool) (n int) {
	var few [4]posting.Seeker
	at := few[:]
	if len(sets) > len(few) {
		at = make([]posting.Seeker, len(sets))
	}
	for _, slot := range slots {
		found := false
		for i, one := range sets {
			if p, ok := one.(*posting.Posting); ok {
				found = at[i].Has(p, slot)
			} else {
				found = one.Has(slot)
			}
			if found {
				break
			}
		}
		if found == having {
			slots[n] = slot
			n++
		}
	}
	return n
}
