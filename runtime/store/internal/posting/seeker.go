// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package posting

// Seeker looks up slots in a posting by galloping search from the last position. If slots come
// in order it takes a few steps for each, where a binary search takes eight or more.
type Seeker struct{ at int }

// Has reports whether p has slot.
func (s *Seeker) Has(p *Posting, slot uint32) bool {
	if p.large != nil {
		return p.Has(slot)
	}
	slots := p.small
	lo := s.at
	if lo >= len(slots) || slots[lo] > slot {
		lo = 0
	}
	// If slots has slot, it is in slots[lo:hi+1].
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
