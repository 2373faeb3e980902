// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "slices"

// gather appends the slots of a set to dst. It sieves an array of those of one
// operand by one other after the other, in loops over arrays; that takes a
// fraction of a call for each slot.
func gather(dst []uint32, s set) []uint32 {
	from := len(dst)
	var few [4]sieving
	sieves := few[:0]
	for innermost := false; !innermost; {
		switch outer := s.(type) {
		case *both:
			s, sieves = outer.a, append(sieves, sieving{outer.b, true})
		case *difference:
			s, sieves = outer.from, append(sieves, sieving{outer.what, false})
		case intersection:
			s = outer[0]
			for _, one := range outer[1:] {
				sieves = append(sieves, sieving{one, true})
			}
		default:
			innermost = true
		}
	}
	if parts, ok := s.(disjoint); ok {
		dst = slices.Grow(dst, s.atMost())
		for _, one := range parts {
			dst = gatherOne(dst, one)
		}
	} else {
		dst = gatherOne(dst, s)
	}
	n := len(dst) - from
	for i := len(sieves) - 1; i >= 0; i-- {
		n = sieve(dst[from:from+n], sieves[i].set, sieves[i].having)
	}
	return dst[:from+n]
}

// sieving is a set, and whether slots pass that it has or that it has not.
type sieving struct {
	set
	having bool
}

// gatherOne appends the slots of a set that need no sieving.
func gatherOne(dst []uint32, s set) []uint32 {
	if p, ok := s.(*posting); ok {
		return p.appendTo(dst)
	}
	return append(dst, gatherEach(s)...)
}

func gatherEach(s set) []uint32 {
	slots := make([]uint32, 0, min(s.atMost(), 32))
	s.each(func(slot uint32) bool { slots = append(slots, slot); return true })
	return slots
}

// sieve moves those of slots that s has, or has not, to the front, in order, and
// returns how many there are.
func sieve(slots []uint32, s set, having bool) (n int) {
	switch s := s.(type) {
	case *posting:
		var at seeker
		for _, slot := range slots {
			if at.has(s, slot) == having {
				slots[n] = slot
				n++
			}
		}
		return n
	case union:
		return sieveAny(slots, s, having)
	case disjoint:
		return sieveAny(slots, s, having)
	}
	for _, slot := range slots {
		if s.has(slot) == having {
			slots[n] = slot
			n++
		}
	}
	return n
}

func sieveAny(slots []uint32, sets []set, having bool) (n int) {
	var few [4]seeker
	at := few[:]
	if len(sets) > len(few) {
		at = make([]seeker, len(sets))
	}
	for _, slot := range slots {
		found := false
		for i, one := range sets {
			if p, ok := one.(*posting); ok {
				found = at[i].has(p, slot)
			} else {
				found = one.has(slot)
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

// seeker looks slots up in a posting. Those that come in order it finds with
// steps from where the last one was, that grow: a few for each, where searching
// all of the posting takes eight or more.
type seeker struct{ at int }

func (s *seeker) has(p *posting, slot uint32) bool {
	if p.large != nil {
		return p.has(slot)
	}
	slots := p.small
	lo := s.at
	if lo >= len(slots) || slots[lo] > slot {
		lo = 0
	}
	// slots[lo:hi] has the slot, if any has.
	hi, step := lo, 1
	for hi < len(slots) && slots[hi] < slot {
		lo, hi, step = hi+1, hi+step, step*2
	}
	hi = min(hi+1, len(slots))
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); slots[mid] < slot {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	s.at = lo
	return lo < len(slots) && slots[lo] == slot
}
