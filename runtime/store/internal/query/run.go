// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// RunSize is the most objects of a run.
const RunSize = 64

// Run reads the objects of a set in runs: slices of at most RunSize objects. A sequence loops over
// the slices, so the caller's loop body can be inlined, and the processor fetches objects ahead.
// This takes a third less time than an iterator for objects outside the processor's cache.
//
// The objects of a posting that fits into one run are copied at once, so that a loop over it alone
// does not hold the version.
type Run[K comparable, T any] struct {
	buffer [RunSize]T

	vector       *table.Vector[K, T]
	pendingSlots []uint32
	unreadBlocks []*posting.Block

	readsWholeVector bool
	nextChunkNumber  int // the next one of OfAll
}

// OfPosting returns the first run of a posting.
func (c *Run[K, T]) OfPosting(vec *table.Vector[K, T], p *posting.Posting) []T {
	if first, rest := p.Runs(); len(rest) == 0 && len(first) <= RunSize {
		return c.OfSlots(vec, first)
	}
	c.vector = vec
	c.pendingSlots, c.unreadBlocks = p.Runs()
	return c.Next()
}

// OfSlots returns the objects of at most RunSize slots.
func (c *Run[K, T]) OfSlots(vec *table.Vector[K, T], slots []uint32) []T {
	return vec.Read(c.buffer[:], slots)
}

// OfAll returns the first run of all objects.
func (c *Run[K, T]) OfAll(vec *table.Vector[K, T]) []T {
	c.vector, c.readsWholeVector = vec, true
	return c.Next()
}

// Next returns the next run, empty at the end.
func (c *Run[K, T]) Next() []T {
	if c.readsWholeVector {
		return c.readNextVectorChunk()
	}
	if len(c.pendingSlots) == 0 {
		if len(c.unreadBlocks) == 0 {
			return nil
		}
		c.pendingSlots, c.unreadBlocks = c.unreadBlocks[0].Slots, c.unreadBlocks[1:]
	}
	n := min(len(c.pendingSlots), RunSize)
	objs := c.OfSlots(c.vector, c.pendingSlots[:n])
	c.pendingSlots = c.pendingSlots[n:]
	return objs
}

// readNextVectorChunk returns the objects of the next chunk with objects, none at the end.
func (c *Run[K, T]) readNextVectorChunk() []T {
	for c.nextChunkNumber < c.vector.Chunks() {
		ch := c.vector.Chunk(c.nextChunkNumber)
		c.nextChunkNumber++
		if ch == nil {
			continue
		}
		if ch.Live == 1<<table.ChunkSize-1 {
			return ch.Objs[:]
		}
		n := 0
		for live := ch.Live; live != 0; live &= live - 1 {
			c.buffer[n] = ch.Objs[bits.TrailingZeros32(live)]
			n++
		}
		return c.buffer[:n]
	}
	return nil
}
