// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package slots has a persistent vector of objects by slot number.
package slots

import "math/bits"

const (
	ChunkBits   = 6
	ChunkSize   = 1 << ChunkBits // slots, and the bits of Chunk.Live
	SegmentBits = 6
	SegmentSize = 1 << SegmentBits // chunks
)

// Vector is a persistent vector of objects by slot number: a directory of segments of chunks. A
// write copies the chunk, the segment and the directory if they are frozen: about 1 KiB, plus 8
// bytes for each 4,096 objects. The zero value is empty.
type Vector[K comparable, T any] struct {
	owner uint64 // of Dir
	Dir   []*Segment[K, T]
}

// Segment is a part of the directory.
type Segment[K comparable, T any] struct {
	owner  uint64
	Chunks [SegmentSize]*Chunk[K, T]
}

// Chunk has the objects of adjacent slots.
type Chunk[K comparable, T any] struct {
	Owner uint64
	Live  uint64 // one bit for each slot with an object
	Objs  [ChunkSize]T
	Keys  *[ChunkSize]K // nil if keys are derived from the objects
}

// At returns the object of a live slot.
func (s *Vector[K, T]) At(slot uint32) T {
	return s.Dir[slot>>(ChunkBits+SegmentBits)].Chunks[slot>>ChunkBits&(SegmentSize-1)].Objs[slot&(ChunkSize-1)]
}

// ChunkOf returns the chunk of a live slot.
func (s *Vector[K, T]) ChunkOf(slot uint32) *Chunk[K, T] {
	return s.Dir[slot>>(ChunkBits+SegmentBits)].Chunks[slot>>ChunkBits&(SegmentSize-1)]
}

// own returns the chunk of slot, for owner to change. It copies the nodes on the path that were
// not made by an owner later than above.
func (s *Vector[K, T]) own(owner, above uint64, slot uint32) *Chunk[K, T] {
	if s.owner <= above {
		s.Dir = append(make([]*Segment[K, T], 0, len(s.Dir)+1), s.Dir...)
		s.owner = owner
	}
	i := int(slot >> (ChunkBits + SegmentBits))
	for len(s.Dir) <= i {
		s.Dir = append(s.Dir, &Segment[K, T]{owner: owner})
	}
	seg := s.Dir[i]
	if seg.owner <= above {
		c := *seg
		c.owner = owner
		seg, s.Dir[i] = &c, &c
	}
	j := slot >> ChunkBits & (SegmentSize - 1)
	ch := seg.Chunks[j]
	switch {
	case ch == nil:
		ch = &Chunk[K, T]{Owner: owner}
		seg.Chunks[j] = ch
	case ch.Owner <= above:
		c := *ch
		c.Owner = owner
		if ch.Keys != nil {
			keys := *ch.Keys
			c.Keys = &keys
		}
		ch, seg.Chunks[j] = &c, &c
	}
	return ch
}

// Set stores obj in slot, and also key if keep is set.
func (s *Vector[K, T]) Set(owner, above uint64, slot uint32, obj T, key K, keep bool) {
	ch := s.own(owner, above, slot)
	i := slot & (ChunkSize - 1)
	ch.Objs[i] = obj
	ch.Live |= 1 << i
	if keep {
		if ch.Keys == nil {
			ch.Keys = new([ChunkSize]K)
		}
		ch.Keys[i] = key
	}
}

// Clear empties slot, and drops its chunk if it is then empty.
func (s *Vector[K, T]) Clear(owner, above uint64, slot uint32) {
	ch := s.own(owner, above, slot)
	i := slot & (ChunkSize - 1)
	var obj T
	ch.Objs[i] = obj
	if ch.Keys != nil {
		var key K
		ch.Keys[i] = key
	}
	if ch.Live &^= 1 << i; ch.Live == 0 {
		s.Dir[slot>>(ChunkBits+SegmentBits)].Chunks[slot>>ChunkBits&(SegmentSize-1)] = nil
	}
}

// Each calls yield with every live slot in order until it returns false.
func (s *Vector[K, T]) Each(yield func(slot uint32, ch *Chunk[K, T]) bool) bool {
	for i, seg := range s.Dir {
		for j, ch := range seg.Chunks {
			if ch == nil {
				continue
			}
			base := uint32(i<<(ChunkBits+SegmentBits) | j<<ChunkBits)
			for live := ch.Live; live != 0; live &= live - 1 {
				if !yield(base+uint32(bits.TrailingZeros64(live)), ch) {
					return false
				}
			}
		}
	}
	return true
}

// Touch reads *p, so that a later read does not wait for a cache miss.
//
//go:noinline
func Touch[T any](p *T) T { return *p }
