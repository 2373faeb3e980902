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
	for first, ch := range s.Slots.InUse {
		live := ch.Live
		if s.Without != nil {
			live &^= s.Without[first>>table.ChunkBits]
		}
		for ; live != 0; live &= live - 1 {
			if !yield(first | uint32(bits.TrailingZeros32(live))) {
				return false
			}
		}
	}
	return true
}
