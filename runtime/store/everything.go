// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "math/bits"

// everything is the query for all objects.
type everything[K comparable, T any] struct{}

func (everything[K, T]) in(_ *Store[K, T], v *version[K, T]) set { return liveSlots[K, T]{v, nil} }

func (everything[K, T]) count(r Reader[K, T]) int { return r.Len() }

func (everything[K, T]) watch(*watchList, *signal) (all bool) { return true }
func (everything[K, T]) unwatch(*watchList, *signal)          {}

// liveSlots has every slot that holds an object, and is not masked; it is not
// asked for slots that hold none.
type liveSlots[K comparable, T any] struct {
	v       *version[K, T]
	without []uint64 // by chunk; nil masks nothing
}

func (s liveSlots[K, T]) atMost() int { return s.v.keys.n }

func (s liveSlots[K, T]) has(slot uint32) bool {
	return s.without == nil || s.without[slot>>chunkBits]>>(slot&(chunkSize-1))&1 == 0
}

func (s liveSlots[K, T]) each(yield func(uint32) bool) bool {
	for i, seg := range s.v.slots.dir {
		for j, ch := range seg.chunks {
			if ch == nil {
				continue
			}
			n := i<<segBits | j
			live := ch.live
			if s.without != nil {
				live &^= s.without[n]
			}
			for ; live != 0; live &= live - 1 {
				if !yield(uint32(n<<chunkBits + bits.TrailingZeros64(live))) {
					return false
				}
			}
		}
	}
	return true
}
