// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "math/bits"

const (
	// lookahead is how many keys are looked up at once.
	lookahead = 16
	noSlot    = ^uint32(0)
)

// located is a key, and where it is.
type located[K comparable] struct {
	key  K
	hash uint64
	slot uint32 // noSlot: nowhere
}

// findAll looks keys up. It goes over some of them step by step: each step of one
// waits for memory, and the same step of the others need not wait for that. Half the
// time of a Replace went into looking up one key after the other.
func (s *Store[K, T]) findAll(v *version[K, T], wanted []located[K]) {
	var found [lookahead]K
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), lookahead)]
		for i := range some {
			some[i].slot = likely(&v.keys, some[i].hash)
		}
		for i := range some {
			if some[i].slot == noSlot {
				continue
			}
			var ok bool
			if found[i], ok = s.keyAt(v, some[i].slot); !ok {
				some[i].slot = noSlot
			}
		}
		for i := range some {
			if w := &some[i]; w.slot == noSlot || found[i] != w.key {
				w.slot = noSlot
				if slot, ok := s.find(v, w.hash, w.key); ok {
					w.slot = slot
				}
			}
		}
		wanted = wanted[len(some):]
	}
}

// touch reads what staging these writes will, so that it need not wait: a step of one
// waits for memory together with the same step of the others.
func (s *Store[K, T]) touch(v *version[K, T], ops []op[K, T]) {
	var slots [lookahead]uint32
	for i := range ops {
		slots[i] = likely(&v.keys, ops[i].hash)
	}
	for i := range ops {
		if slots[i] != noSlot {
			s.holds(v, slots[i], ops[i].key)
		}
	}
}

// likely returns the first slot that has the hash's tag, or noSlot.
func likely(t *trie[uint32], hash uint64) uint32 {
	if slot, ok := first(t, hash); ok {
		return slot
	}
	return noSlot
}

// first returns the first entry that has the hash's tag, if any has.
func first[E any](t *trie[E], hash uint64) (e E, ok bool) {
	l := t.leaf(hash)
	if l == nil {
		return e, false
	}
	m := l.matches(tagOf(hash))
	if m == 0 {
		return e, false
	}
	return l.entries[bits.TrailingZeros32(m)], true
}
