// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Live has every slot that has an object and is not masked.
type Live[K comparable, T any] struct {
	Slots   *table.Vector[K, T]
	N       int      // the number of objects
	Without []uint32 // masks by chunk; nil masks nothing
}

func (s Live[K, T]) AtMost() int { return s.N }

func (s Live[K, T]) Has(slot uint32) bool {
	return s.Without == nil || s.Without[slot>>table.ChunkBits]>>(slot&(table.ChunkSize-1))&1 == 0
}

func (s Live[K, T]) Each(yield func(uint32) bool) bool {
	for n := range s.Slots.Chunks() {
		ch := s.Slots.Chunk(n)
		if ch == nil {
			continue
		}
		live := ch.Live
		if s.Without != nil {
			live &^= s.Without[n]
		}
		for ; live != 0; live &= live - 1 {
			if !yield(uint32(n<<table.ChunkBits | bits.TrailingZeros32(live))) {
				return false
			}
		}
	}
	return true
}
