// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

const (
	// lookupSize is the number of keys that are processed together.
	lookupSize = index.Lookahead
	noSlot     = ^uint32(0)
)

// located is a key and its slot.
type located[K comparable] struct {
	key  K
	hash uint64
	slot uint32 // or noSlot
}

// findAll looks keys up. It does each step of the look-up for several keys, so that cache
// misses overlap. Looking up one key after the other took half the time of a Replace.
func (s *Store[K, T]) findAll(v *version[K, T], wanted []located[K]) {
	var (
		leaves [lookupSize]*trie.Leaf[uint32]
		found  [lookupSize]K
	)
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), lookupSize)]
		for i := range some {
			leaves[i] = v.keys.Leaf(some[i].hash)
		}
		for i := range some {
			some[i].slot = likely(leaves[i], some[i].hash)
		}
		s.keysAt(v, some, &found)
		touchKeys(&found, len(some))
		for i := range some {
			if w := &some[i]; w.slot == noSlot || found[i] != w.key {
				w.slot = s.slotOf(v, w)
			}
		}
		wanted = wanted[len(some):]
	}
}

// slotOf returns the slot of one key, or noSlot.
func (s *Store[K, T]) slotOf(v *version[K, T], w *located[K]) uint32 {
	if slot, ok := s.find(v, w.hash, w.key); ok {
		return slot
	}
	return noSlot
}

// keysAt reads the keys of the objects in the slots of some.
func (s *Store[K, T]) keysAt(v *version[K, T], some []located[K], found *[lookupSize]K) {
	var held [lookupSize]T
	for i := range some {
		slot := some[i].slot
		if slot == noSlot {
			continue
		}
		if ch := v.slots.ChunkOf(slot); s.derive {
			held[i] = ch.Objs[slot&(slots.ChunkSize-1)]
		} else {
			found[i] = ch.Keys[slot&(slots.ChunkSize-1)]
		}
	}
	for i := range some {
		if s.derive && some[i].slot != noSlot {
			found[i] = s.keyOf(held[i])
		}
	}
}

// putAll does at most lookupSize writes of a batch.
func (s *Store[K, T]) putAll(v *version[K, T], ops []op[K, T], b *Batch[K, T]) {
	var at [lookupSize]located[K]
	for i := range ops {
		at[i].key, at[i].hash = ops[i].key, ops[i].hash
	}
	s.findAll(v, at[:len(ops)])
	for i := range ops {
		if slot := at[i].slot; slot != noSlot {
			slots.Touch(&s.fingerprints[slot])
		}
	}
	deleted := false // then another object may have taken a slot that was found
	for i := range ops {
		slot := at[i].slot
		if slot == noSlot || deleted {
			slot = s.slotOf(v, &at[i])
		}
		s.put(v, s.stageAt(v, &ops[i], slot), b)
		deleted = deleted || ops[i].kind == opDelete
	}
}

// likely returns the slot of the first entry of a leaf with the tag of hash, or noSlot.
func likely(l *trie.Leaf[uint32], hash uint64) uint32 {
	if slot, ok := l.First(hash); ok {
		return slot
	}
	return noSlot
}

// touchKeys reads a byte of each NamespacedName in n keys, so that the cache misses of hashing
// and comparing them overlap.
func touchKeys[K comparable](keys *[lookupSize]K, n int) {
	if names, ok := any(keys).(*[lookupSize]types.NamespacedName); ok {
		touchNames(names[:n])
	}
}

//go:noinline
func touchNames(keys []types.NamespacedName) (sum byte) {
	for i := range keys {
		if key := &keys[i]; key.Name != "" && key.Namespace != "" {
			sum += key.Name[0] + key.Namespace[0]
		}
	}
	return sum
}
