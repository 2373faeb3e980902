// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package posting

// Seeker looks slots up in a posting. Those that come in order it finds with
// steps from where the last one was, that grow: a few for each, where searching
// all of the posting takes eight or more.
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
