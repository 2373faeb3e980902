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
	array  []uint32
	blocks *blockList // nil if small has all slots
}

type blockList struct {
	blocks    []*Block
	slotCount int
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
	if p.blocks != nil {
		return p.blocks.slotCount
	}
	return len(p.array)
}

// Has reports whether the posting has slot.
func (p *Posting) Has(slot uint32) bool {
	slots := p.array
	if p.blocks != nil {
		slots = p.blocks.blocks[p.blocks.findBlock(slot)].Slots
	}
	_, ok := slices.BinarySearch(slots, slot)
	return ok
}

// Mark sets in for each of slots that the posting has. It goes through a small posting once, as long as slots
// come in order.
func (p *Posting) Mark(in []bool, slots []uint32) {
	at := 0
	for i, slot := range slots {
		if p.blocks != nil {
			in[i] = in[i] || p.Has(slot)
			continue
		}
		if i > 0 && slot < slots[i-1] {
			at = 0
		}
		for at < len(p.array) && p.array[at] < slot {
			at++
		}
		in[i] = in[i] || at < len(p.array) && p.array[at] == slot
	}
}

// findBlock returns the last block that begins at or before slot, or the first.
func (l *blockList) findBlock(slot uint32) int {
	lo, hi := 0, len(l.blocks)
	for lo+1 < hi {
		if mid := (lo + hi) / 2; l.blocks[mid].Slots[0] <= slot {
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
	if p.blocks != nil {
		return Posting{blocks: &blockList{blocks: slices.Clone(p.blocks.blocks), slotCount: p.blocks.slotCount}}
	}
	return Posting{array: append(slices.Grow([]uint32(nil), len(p.array)+room), p.array...)}
}

// Add adds slot and reports whether it was absent. owner must own the posting; it need not own
// the blocks.
func (p *Posting) Add(owner uint64, slot uint32) bool {
	if p.blocks != nil {
		return p.blocks.addSlot(owner, slot)
	}
	i, found := searchSlot(p.array, slot)
	if found {
		return false
	}
	p.array = insertSlot(p.array, i, slot)
	if len(p.array) > smallPosting {
		p.blocks = &blockList{blocks: []*Block{{owner: owner, Slots: p.array}}, slotCount: len(p.array)}
		p.array = nil
	}
	return true
}

func (l *blockList) addSlot(owner uint64, slot uint32) bool {
	b := l.findBlock(slot)
	i, found := searchSlot(l.blocks[b].Slots, slot)
	if found {
		return false
	}
	blk := l.mutableBlock(owner, b)
	l.slotCount++
	blk.Slots = insertSlot(blk.Slots, i, slot)
	if len(blk.Slots) > blockSize {
		// If the set grows at its end, keep the block full.
		at := len(blk.Slots) / 2
		if i == len(blk.Slots)-1 && b == len(l.blocks)-1 {
			at = blockSize
		}
		tail := &Block{owner: owner, Slots: slices.Clone(blk.Slots[at:])}
		blk.Slots = blk.Slots[:at:at]
		l.blocks = slices.Insert(l.blocks, b+1, tail)
	}
	return true
}

// Remove removes slot and reports whether it was present.
func (p *Posting) Remove(owner uint64, slot uint32) bool {
	if p.blocks != nil {
		found := p.blocks.removeSlot(owner, slot)
		if p.blocks.slotCount <= smallPosting/2 {
			*p = Posting{array: p.AppendTo(make([]uint32, 0, p.blocks.slotCount))}
		}
		return found
	}
	i, found := slices.BinarySearch(p.array, slot)
	if found {
		p.array = slices.Delete(p.array, i, i+1)
		if len(p.array) < cap(p.array)/4 {
			p.array = slices.Clip(slices.Clone(p.array))
		}
	}
	return found
}

func (l *blockList) removeSlot(owner uint64, slot uint32) bool {
	b := l.findBlock(slot)
	i, found := slices.BinarySearch(l.blocks[b].Slots, slot)
	if !found {
		return false
	}
	blk := l.mutableBlock(owner, b)
	blk.Slots = slices.Delete(blk.Slots, i, i+1)
	l.slotCount--
	if len(blk.Slots) == 0 {
		l.blocks = slices.Delete(l.blocks, b, b+1)
	}
	return true
}

func (l *blockList) mutableBlock(owner uint64, b int) *Block {
	blk := l.blocks[b]
	if blk.owner != owner {
		blk = &Block{owner: owner, Slots: append(make([]uint32, 0, len(blk.Slots)+8), blk.Slots...)}
		l.blocks[b] = blk
	}
	return blk
}

// Runs returns the slots as one sorted array, or as blocks.
func (p *Posting) Runs() (first []uint32, rest []*Block) {
	if p.blocks == nil {
		return p.array, nil
	}
	return nil, p.blocks.blocks
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
		s = copyWithRoom(s)
	}
	s = s[:len(s)+1]
	copy(s[i+1:], s[i:])
	s[i] = slot
	return s
}

// copyWithRoom returns a copy of s with less spare room than append leaves: an eighth, rounded up by the
// allocator.
func copyWithRoom(s []uint32) []uint32 {
	return append(slices.Grow([]uint32(nil), len(s)+len(s)/8+1), s...)
}
