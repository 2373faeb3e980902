// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math/bits"
	"slices"
)

const (
	ChunkBits = 5
	ChunkSize = 1 << ChunkBits // slots, and the bits of Chunk.Live
	nodeBits  = 4
	nodeSize  = 1 << nodeBits // chunks of a node, and nodes of a branch
)

// Vector is a persistent vector of objects by slot number: a directory of branches, which have nodes,
// which have chunks. The owner that made one of these may change it in place. Other owners copy the way to
// a slot: about 580 bytes, plus 8 bytes for each 8,192 slots. The zero value is empty.
type Vector[K comparable, T any] struct {
	branchesOwner uint64 // of branches
	branches      []*branch[K, T]
	chunkCount    int // so many have been in use
}

type branch[K comparable, T any] struct {
	owner uint64
	nodes [nodeSize]*node[K, T]
}

type node[K comparable, T any] struct {
	owner  uint64
	chunks [nodeSize]*Chunk[K, T]
}

// Chunk has the objects of adjacent slots.
type Chunk[K comparable, T any] struct {
	owner             uint64
	writtenSinceOwner uint64 // slotsWrittenSince has the writes after those of this owner
	slotsWrittenSince uint32 // one bit for each slot that was written since then
	Live              uint32 // one bit for each slot with an object
	Objs              [ChunkSize]T
	Keys              *[ChunkSize]K // nil if keys are derived from the objects
}

// At returns the object of a live slot.
func (s *Vector[K, T]) At(slot uint32) T { return s.ChunkOf(slot).Objs[slot&(ChunkSize-1)] }

// ChunkOf returns the chunk of a live slot.
func (s *Vector[K, T]) ChunkOf(slot uint32) *Chunk[K, T] {
	n := slot >> ChunkBits
	return s.branches[n>>(2*nodeBits)].nodes[n>>nodeBits&(nodeSize-1)].chunks[n&(nodeSize-1)]
}

// Read sets the first of objs to the objects of live slots, and returns them. By a call of At for each slot,
// which reads the directory from s again, 200 of 1,000 objects take a tenth longer.
func (s *Vector[K, T]) Read(objs []T, slots []uint32) []T {
	dir := s.branches
	objs = objs[:len(slots)]
	for i, slot := range slots {
		n := slot >> ChunkBits
		ch := dir[n>>(2*nodeBits)].nodes[n>>nodeBits&(nodeSize-1)].chunks[n&(nodeSize-1)]
		objs[i] = ch.Objs[slot&(ChunkSize-1)]
	}
	return objs
}

// Chunks returns the number of chunks, nil ones included.
func (s *Vector[K, T]) Chunks() int { return s.chunkCount }

// Chunk returns chunk n, or nil if it has no objects.
func (s *Vector[K, T]) Chunk(n int) *Chunk[K, T] {
	_, _, ch := s.pathToChunk(n)
	return ch
}

// NextDifference returns the first chunk from number n on that differs between two versions of a vector, as it is
// in both, nil if it has no objects there, and the number after it. With all, no chunk counts as equal. At the end
// both chunks are nil. Nodes that the versions share are skipped.
func NextDifference[K comparable, T any](old, new *Vector[K, T], n int, all bool) (int, *Chunk[K, T], *Chunk[K, T]) {
	for end := max(old.chunkCount, new.chunkCount); n < end; {
		oldBranch, oldNode, oldChunk := old.pathToChunk(n)
		newBranch, newNode, newChunk := new.pathToChunk(n)
		switch {
		case oldBranch == newBranch && (!all || newBranch == nil):
			n = (n>>(2*nodeBits) + 1) << (2 * nodeBits)
		case oldNode == newNode && (!all || newNode == nil):
			n = (n>>nodeBits + 1) << nodeBits
		case oldChunk == newChunk && (!all || newChunk == nil):
			n++
		default:
			return n + 1, oldChunk, newChunk
		}
	}
	return n, nil, nil
}

// pathToChunk returns the branch, the node and the chunk of number n, or nil.
func (s *Vector[K, T]) pathToChunk(chunkNumber int) (b *branch[K, T], in *node[K, T], ch *Chunk[K, T]) {
	if top := chunkNumber >> (2 * nodeBits); top < len(s.branches) {
		b = s.branches[top]
	}
	if b != nil {
		in = b.nodes[chunkNumber>>nodeBits&(nodeSize-1)]
	}
	if in != nil {
		ch = in.chunks[chunkNumber&(nodeSize-1)]
	}
	return b, in, ch
}

// LiveSlots returns Live, or 0 if ch is nil.
func (ch *Chunk[K, T]) LiveSlots() uint32 {
	if ch == nil {
		return 0
	}
	return ch.Live
}

// Differing returns the slots with objects in old or new, two states of one chunk in any order, that may differ.
// Either may be nil.
func Differing[K comparable, T any](old, new *Chunk[K, T]) uint32 {
	slots := old.LiveSlots() | new.LiveSlots()
	if old == nil || new == nil {
		return slots
	}
	if old.owner > new.owner {
		old, new = new, old
	}
	if old.owner >= new.writtenSinceOwner {
		slots &= new.slotsWrittenSince
	}
	return slots
}

// mutableChunkMarkingSlot returns the chunk of slot, for owner to write the slot. It copies the nodes on the path that
// another owner made.
func (s *Vector[K, T]) mutableChunkMarkingSlot(owner uint64, slot uint32) *Chunk[K, T] {
	top := int(slot >> (ChunkBits + 2*nodeBits))
	s.chunkCount = max(s.chunkCount, int(slot>>ChunkBits)+1)
	if s.branchesOwner != owner {
		s.branches, s.branchesOwner = slices.Clone(s.branches), owner
	}
	for len(s.branches) <= top {
		s.branches = append(s.branches, nil)
	}
	switch b := s.branches[top]; {
	case b == nil:
		s.branches[top] = &branch[K, T]{owner: owner}
	case b.owner != owner:
		s.branches[top] = &branch[K, T]{owner, b.nodes}
	}
	in := &s.branches[top].nodes[slot>>(ChunkBits+nodeBits)&(nodeSize-1)]
	switch n := *in; {
	case n == nil:
		*in = &node[K, T]{owner: owner}
	case n.owner != owner:
		*in = &node[K, T]{owner, n.chunks}
	}
	at := &(*in).chunks[slot>>ChunkBits&(nodeSize-1)]
	switch ch := *at; {
	case ch == nil:
		*at = &Chunk[K, T]{owner: owner, writtenSinceOwner: owner}
	case ch.owner != owner:
		c := *ch
		c.owner = owner
		if bits.OnesCount32(c.slotsWrittenSince) > ChunkSize/4 { // Differing would say too little
			c.writtenSinceOwner, c.slotsWrittenSince = ch.owner, 0
		}
		if ch.Keys != nil {
			keys := *ch.Keys
			c.Keys = &keys
		}
		*at = &c
	}
	(*at).slotsWrittenSince |= 1 << (slot & (ChunkSize - 1))
	return *at
}

// setSlot stores obj in slot, and also key if keep is set.
func (s *Vector[K, T]) setSlot(owner uint64, slot uint32, obj T, key K, storeKey bool) {
	ch := s.mutableChunkMarkingSlot(owner, slot)
	i := slot & (ChunkSize - 1)
	ch.Objs[i] = obj
	ch.Live |= 1 << i
	if storeKey {
		if ch.Keys == nil {
			ch.Keys = new([ChunkSize]K)
		}
		ch.Keys[i] = key
	}
}

// clearSlot empties slot, and drops its chunk if it is then empty.
func (s *Vector[K, T]) clearSlot(owner uint64, slot uint32) {
	ch := s.mutableChunkMarkingSlot(owner, slot)
	i := slot & (ChunkSize - 1)
	var obj T
	ch.Objs[i] = obj
	if ch.Keys != nil {
		var key K
		ch.Keys[i] = key
	}
	if ch.Live &^= 1 << i; ch.Live == 0 {
		n := slot >> ChunkBits
		s.branches[n>>(2*nodeBits)].nodes[n>>nodeBits&(nodeSize-1)].chunks[n&(nodeSize-1)] = nil
	}
}

// InUse yields the chunks with objects, each with its first slot.
func (s *Vector[K, T]) InUse(yield func(first uint32, ch *Chunk[K, T]) bool) {
	for n := range s.chunkCount {
		if ch := s.Chunk(n); ch != nil && !yield(uint32(n<<ChunkBits), ch) { //nolint:gosec // slots fit
			return
		}
	}
}

// Each calls yield with every live slot in order until it returns false.
func (s *Vector[K, T]) Each(yield func(slot uint32, ch *Chunk[K, T]) bool) bool {
	for first, ch := range s.InUse {
		for live := ch.Live; live != 0; live &= live - 1 {
			if !yield(first|uint32(bits.TrailingZeros32(live)), ch) { //nolint:gosec // of 32
				return false
			}
		}
	}
	return true
}
