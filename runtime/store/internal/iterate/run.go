// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package iterate reads sets of slots in runs of objects.
package iterate

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// Size is how many objects a read hands out between two looks at the store. It is a
// power of two, so that i&(runSize-1), which is i, needs no check of bounds in loops.
const Size = 64

// Run is how a sequence reads: it gives out the next objects as a slice, and
// the sequence is a loop over slices. So the body of the caller's loop can be
// inlined where it stands, and the processor fetches objects ahead, which it
// does not across the calls of an iterator: a third of the time for objects
// that are not in its cache.
//
// A set that fits one run is copied under the store's lock and takes no
// snapshot, so that the next write has nothing to copy.
type Run[K comparable, T any] struct {
	objs [Size]T

	vec   *slots.Vector[K, T]
	slots []uint32
	rest  []*posting.Block

	all        bool
	seg, chunk int // where a run over everything is
}

// Of gives out the first objects of a set: all of one that fits a run, of which the version
// may be live, else in a frozen version.
func (c *Run[K, T]) Of(vec *slots.Vector[K, T], p *posting.Posting) []T {
	c.vec = vec
	c.slots, c.rest = p.Runs()
	return c.Next()
}

// Next gives out the next objects of a set, none at the end.
func (c *Run[K, T]) Next() []T {
	if len(c.slots) == 0 {
		if len(c.rest) == 0 {
			return nil
		}
		c.slots, c.rest = c.rest[0].Slots, c.rest[1:]
	}
	n := min(len(c.slots), Size)
	for i, slot := range c.slots[:n] {
		c.objs[i&(Size-1)] = c.vec.At(slot)
	}
	c.slots = c.slots[n:]
	return c.objs[:n]
}

// More is Live or Next.
func (c *Run[K, T]) More() []T {
	if c.all {
		return c.Live()
	}
	return c.Next()
}

// All gives out the first objects of all.
func (c *Run[K, T]) All(vec *slots.Vector[K, T]) []T {
	c.vec, c.all = vec, true
	return c.Live()
}

// Fill gives out the objects of slots, which are at most Size.
func (c *Run[K, T]) Fill(vec *slots.Vector[K, T], slots []uint32) []T {
	for i, slot := range slots {
		c.objs[i&(Size-1)] = vec.At(slot)
	}
	return c.objs[:len(slots)]
}

// AtEnd reports whether Next has nothing more to give out.
func (c *Run[K, T]) AtEnd() bool { return len(c.slots) == 0 && len(c.rest) == 0 }

// Live gives out the objects of the next chunk that has any, none at the end.
func (c *Run[K, T]) Live() []T {
	for dir := c.vec.Dir; c.seg < len(dir); {
		ch := dir[c.seg].Chunks[c.chunk]
		if c.chunk++; c.chunk == slots.SegmentSize {
			c.seg, c.chunk = c.seg+1, 0
		}
		if ch == nil {
			continue
		}
		if ch.Live == 1<<slots.ChunkSize-1 {
			return ch.Objs[:]
		}
		n := 0
		for live := ch.Live; live != 0; live &= live - 1 {
			c.objs[n] = ch.Objs[bits.TrailingZeros64(live)]
			n++
		}
		return c.objs[:n]
	}
	return nil
}
