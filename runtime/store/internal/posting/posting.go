// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package posting has postings, which are sorted sets of slots, and the buckets of an index.
package posting

import "slices"

const (
	// A posting of at most smallPosting slots is one sorted array.
	smallPosting = 256
	blockSize    = 512
)

// Posting is a sorted set of slots: the objects under one index value. A small posting is an
// array. A large one is a list of blocks, so that a write copies one block and the list of
// them. The owner of its bucket may change it.
type Posting struct {
	small []uint32
	large *blocks // nil if small has all slots
}

type blocks struct {
	list []*Block
	n    int
}

// Block is a part of a large posting.
type Block struct {
	owner uint64
	Slots []uint32 // sorted, never empty
}

// AtMost implements query.Set.
func (p *Posting) AtMost() int { return p.Len() }

// Len returns the number of slots.
func (p *Posting) Len() int {
	if p.large != nil {
		return p.large.n
	}
	return len(p.small)
}

// Has reports whether the posting has slot.
func (p *Posting) Has(slot uint32) bool {
	slots := p.small
	if p.large != nil {
		slots = p.large.list[p.large.find(slot)].Slots
	}
	_, ok := slices.BinarySearch(slots, slot)
	return ok
}

// Mark sets in for each of slots that the posting has. It goes through a small posting once, as long as slots
// come in order.
func (p *Posting) Mark(in []bool, slots []uint32) {
	at := 0
	for i, slot := range slots {
		if p.large != nil {
			in[i] = in[i] || p.Has(slot)
			continue
		}
		if i > 0 && slot < slots[i-1] {
			at = 0
		}
		for at < len(p.small) && p.small[at] < slot {
			at++
		}
		in[i] = in[i] || at < len(p.small) && p.small[at] == slot
	}
}

// find returns the last block that begins at or before slot, or the first.
func (l *blocks) find(slot uint32) int {
	lo, hi := 0, len(l.list)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; l.list[mid].Slots[0] <= slot {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo
}

// Clone returns a copy for a new owner, without the blocks, which Add and Remove copy. A small one has room for
// so many slots more, rounded up by the allocator.
func (p *Posting) Clone(room int) Posting {
	if p.large != nil {
		return Posting{large: &blocks{list: slices.Clone(p.large.list), n: p.large.n}}
	}
	return Posting{small: append(slices.Grow([]uint32(nil), len(p.small)+room), p.small...)}
}

// Add adds slot and reports whether it was absent. owner must own the posting; it need not own
// the blocks.
func (p *Posting) Add(owner uint64, slot uint32) bool {
	if p.large != nil {
		return p.large.add(owner, slot)
	}
	i, found := searchSlot(p.small, slot)
	if found {
		return false
	}
	p.small = insertSlot(p.small, i, slot)
	if len(p.small) > smallPosting {
		p.large = &blocks{list: []*Block{{owner: owner, Slots: p.small}}, n: len(p.small)}
		p.small = nil
	}
	return true
}

func (l *blocks) add(owner uint64, slot uint32) bool {
	b := l.find(slot)
	i, found := searchSlot(l.list[b].Slots, slot)
	if found {
		return false
	}
	blk := l.own(owner, b)
	l.n++
	blk.Slots = insertSlot(blk.Slots, i, slot)
	if len(blk.Slots) > blockSize {
		// If the set grows at its end, keep the block full.
		at := len(blk.Slots) / 2
		if i == len(blk.Slots)-1 && b == len(l.list)-1 {
			at = blockSize
		}
		tail := &Block{owner: owner, Slots: slices.Clone(blk.Slots[at:])}
		blk.Slots = blk.Slots[:at:at]
		l.list = slices.Insert(l.list, b+1, tail)
	}
	return true
}

// Remove removes slot and reports whether it was present.
func (p *Posting) Remove(owner uint64, slot uint32) bool {
	if p.large != nil {
		found := p.large.remove(owner, slot)
		if p.large.n <= smallPosting/2 {
			*p = Posting{small: p.AppendTo(make([]uint32, 0, p.large.n))}
		}
		return found
	}
	i, found := slices.BinarySearch(p.small, slot)
	if found {
		p.small = slices.Delete(p.small, i, i+1)
		if len(p.small) < cap(p.small)/4 {
			p.small = slices.Clip(slices.Clone(p.small))
		}
	}
	return found
}

func (l *blocks) remove(owner uint64, slot uint32) bool {
	b := l.find(slot)
	i, found := slices.BinarySearch(l.list[b].Slots, slot)
	if !found {
		return false
	}
	blk := l.own(owner, b)
	blk.Slots = slices.Delete(blk.Slots, i, i+1)
	l.n--
	if len(blk.Slots) == 0 {
		l.list = slices.Delete(l.list, b, b+1)
	}
	return true
}

func (l *blocks) own(owner uint64, b int) *Block {
	blk := l.list[b]
	if blk.owner != owner {
		blk = &Block{owner: owner, Slots: append(make([]uint32, 0, len(blk.Slots)+8), blk.Slots...)}
		l.list[b] = blk
	}
	return blk
}

// Runs returns the slots as one sorted array, or as blocks.
func (p *Posting) Runs() (first []uint32, rest []*Block) {
	if p.large == nil {
		return p.small, nil
	}
	return nil, p.large.list
}

// AppendTo appends every slot to dst, in order.
func (p *Posting) AppendTo(dst []uint32) []uint32 {
	first, rest := p.Runs()
	dst = append(dst, first...)
	for _, blk := range rest {
		dst = append(dst, blk.Slots...)
	}
	return dst
}

// Each calls yield with every slot in order until it returns false.
func (p *Posting) Each(yield func(uint32) bool) bool {
	first, rest := p.Runs()
	for _, slot := range first {
		if !yield(slot) {
			return false
		}
	}
	for _, blk := range rest {
		for _, slot := range blk.Slots {
			if !yield(slot) {
				return false
			}
		}
	}
	return true
}

// searchSlot is slices.BinarySearch with a fast path for slots beyond the end, which are the
// usual case while a store is filled.
func searchSlot(s []uint32, slot uint32) (i int, found bool) {
	if n := len(s); n == 0 || s[n-1] < slot {
		return n, false
	}
	return slices.BinarySearch(s, slot)
}

// insertSlot inserts slot at i.
func insertSlot(s []uint32, i int, slot uint32) []uint32 {
	if len(s) == cap(s) {
		s = withRoom(s)
	}
	s = s[:len(s)+1]
	copy(s[i+1:], s[i:])
	s[i] = slot
	return s
}

// withRoom returns a copy of s with less spare room than append leaves: an eighth, rounded up by the
// allocator.
func withRoom(s []uint32) []uint32 {
	return append(slices.Grow([]uint32(nil), len(s)+len(s)/8+1), s...)
}
