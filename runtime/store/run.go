// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// runSize is how many objects a read hands out between two looks at the store. It is a
// power of two, so that i&(runSize-1), which is i, needs no check of bounds in loops.
const runSize = 64

// run is how a sequence reads: it gives out the next objects as a slice, and
// the sequence is a loop over slices. So the body of the caller's loop can be
// inlined where it stands, and the processor fetches objects ahead, which it
// does not across the calls of an iterator: a third of the time for objects
// that are not in its cache.
//
// A set that fits one run is copied under the store's lock and takes no
// snapshot, so that the next write has nothing to copy.
type run[K comparable, T any] struct {
	objs [runSize]T

	v     *version[K, T]
	slots []uint32
	rest  []*posting.Block

	all        bool
	seg, chunk int // where a run over everything is
}

// of gives out the first objects of a set: all of one that fits a run, of which the version
// may be live, else in a frozen version.
func (c *run[K, T]) of(v *version[K, T], p *posting.Posting) []T {
	c.v = v
	c.slots, c.rest = p.Runs()
	return c.next()
}

// next gives out the next objects of a set, none at the end.
func (c *run[K, T]) next() []T {
	if len(c.slots) == 0 {
		if len(c.rest) == 0 {
			return nil
		}
		c.slots, c.rest = c.rest[0].Slots, c.rest[1:]
	}
	n := min(len(c.slots), runSize)
	for i, slot := range c.slots[:n] {
		c.objs[i&(runSize-1)] = c.v.slots.At(slot)
	}
	c.slots = c.slots[n:]
	return c.objs[:n]
}

// more is live or next.
func (c *run[K, T]) more() []T {
	if c.all {
		return c.live()
	}
	return c.next()
}

// everything gives out the first objects of all.
func (c *run[K, T]) everything(r Reader[K, T]) []T {
	c.v = r.frozen()
	return c.live()
}

// live gives out the objects of the next chunk that has any, none at the end.
func (c *run[K, T]) live() []T {
	for dir := c.v.slots.Dir; c.seg < len(dir); {
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
