// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "math/bits"

const (
	// lookahead is how many keys are looked up at once.
	lookahead = 16
	noSlot    = ^uint32(0)
)

// findAll looks keys up, and puts noSlot for those that are not there. It goes
// over some of them step by step: each step of one waits for memory, and the
// same step of the others need not wait for that. Half the time of a Replace
// went into looking up one key after the other.
func (s *Store[K, T]) findAll(v *version[K, T], keys []K, slots []uint32) {
	var (
		hashes [lookahead]uint64
		found  [lookahead]K
	)
	for len(keys) > 0 {
		n := min(len(keys), lookahead)
		for i, key := range keys[:n] {
			hashes[i] = s.hash(key)
		}
		for i, hash := range hashes[:n] {
			slots[i] = likely(&v.keys, hash)
		}
		for i, slot := range slots[:n] {
			if slot != noSlot {
				found[i] = s.keyAt(v, slot)
			}
		}
		for i, key := range keys[:n] {
			if slots[i] == noSlot || found[i] != key {
				slots[i] = noSlot
				if slot, ok := s.find(v, hashes[i], key); ok {
					slots[i] = slot
				}
			}
		}
		keys, slots = keys[n:], slots[n:]
	}
}

// likely returns the first slot that has the hash's tag, or noSlot.
func likely(t *trie[uint32], hash uint64) uint32 {
	l := t.leaf(hash)
	if l == nil {
		return noSlot
	}
	m := l.matches(tagOf(hash))
	if m == 0 {
		return noSlot
	}
	return l.entries[bits.TrailingZeros32(m)]
}
