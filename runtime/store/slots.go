// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "math/bits"

const (
	chunkBits = 6
	chunkSize = 1 << chunkBits // slots, and the width of chunk.live
	segBits   = 6
	segSize   = 1 << segBits // chunks
)

// slots is a persistent vector of objects by slot number: a directory of
// segments of chunks. A write copies the chunk, the segment and the directory
// if they are frozen: about 1 KiB, plus 8 bytes for each 4,096 objects.
type slots[K comparable, T any] struct {
	owner uint64 // of dir
	dir   []*segment[K, T]
}

type segment[K comparable, T any] struct {
	owner  uint64
	chunks [segSize]*chunk[K, T]
}

type chunk[K comparable, T any] struct {
	owner uint64
	live  uint64 // one bit for each slot that holds an object
	objs  [chunkSize]T
	keys  *[chunkSize]K // nil when keys are derived from the objects
}

// at returns the object of a slot that is known to be live.
func (s *slots[K, T]) at(slot uint32) T {
	return s.dir[slot>>(chunkBits+segBits)].chunks[slot>>chunkBits&(segSize-1)].objs[slot&(chunkSize-1)]
}

func (s *slots[K, T]) chunkOf(slot uint32) *chunk[K, T] {
	return s.dir[slot>>(chunkBits+segBits)].chunks[slot>>chunkBits&(segSize-1)]
}

// own returns the chunk of slot on a path that owner may change: nodes made by it, or by
// any owner above a number.
func (s *slots[K, T]) own(owner, above uint64, slot uint32) *chunk[K, T] {
	if s.owner <= above {
		s.dir = append(make([]*segment[K, T], 0, len(s.dir)+1), s.dir...)
		s.owner = owner
	}
	i := int(slot >> (chunkBits + segBits))
	for len(s.dir) <= i {
		s.dir = append(s.dir, &segment[K, T]{owner: owner})
	}
	seg := s.dir[i]
	if seg.owner <= above {
		c := *seg
		c.owner = owner
		seg, s.dir[i] = &c, &c
	}
	j := slot >> chunkBits & (segSize - 1)
	ch := seg.chunks[j]
	switch {
	case ch == nil:
		ch = &chunk[K, T]{owner: owner}
		seg.chunks[j] = ch
	case ch.owner <= above:
		c := *ch
		c.owner = owner
		if ch.keys != nil {
			keys := *ch.keys
			c.keys = &keys
		}
		ch, seg.chunks[j] = &c, &c
	}
	return ch
}

// set stores obj in slot; key is kept beside it if keep says so.
func (s *slots[K, T]) set(owner, above uint64, slot uint32, obj T, key K, keep bool) {
	ch := s.own(owner, above, slot)
	i := slot & (chunkSize - 1)
	ch.objs[i] = obj
	ch.live |= 1 << i
	if keep {
		if ch.keys == nil {
			ch.keys = new([chunkSize]K)
		}
		ch.keys[i] = key
	}
}

// clear empties slot, and lets go of its chunk if that was its last object.
func (s *slots[K, T]) clear(owner, above uint64, slot uint32) {
	ch := s.own(owner, above, slot)
	i := slot & (chunkSize - 1)
	var obj T
	ch.objs[i] = obj
	if ch.keys != nil {
		var key K
		ch.keys[i] = key
	}
	if ch.live &^= 1 << i; ch.live == 0 {
		s.dir[slot>>(chunkBits+segBits)].chunks[slot>>chunkBits&(segSize-1)] = nil
	}
}

// each calls yield with every live slot in order until it returns false.
func (s *slots[K, T]) each(yield func(slot uint32, ch *chunk[K, T]) bool) bool {
	for i, seg := range s.dir {
		for j, ch := range seg.chunks {
			if ch == nil {
				continue
			}
			base := uint32(i<<(chunkBits+segBits) | j<<chunkBits)
			for live := ch.live; live != 0; live &= live - 1 {
				if !yield(base+uint32(bits.TrailingZeros64(live)), ch) {
					return false
				}
			}
		}
	}
	return true
}
