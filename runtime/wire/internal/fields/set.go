// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fields

// Set is a set of positions in the fields of a struct, which are at most MaxOfSet.
type Set [4]uint64

// MaxOfSet is the largest position that a Set may hold.
const MaxOfSet = 255

// Add adds a position.
func (s *Set) Add(i int) { s[i/64] |= 1 << (i % 64) }

// Has reports whether the set has a position.
func (s *Set) Has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
