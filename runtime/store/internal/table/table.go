// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package table

import (
	"math/bits"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// NoSlot is the slot of a key without an object.
const NoSlot = ^uint32(0)

// Table is one version of the objects of a store. Copies share all nodes. A write changes the
// nodes of its owner in place, and copies the others.
type Table[K comparable, T any] struct {
	Vector[K, T]
	*Keys[K, T]
	Slots            trie.Trie[uint32] // by the hash of their object's key
	staleObjectSlots trie.Trie[uint32] // slots of objects that the source has newer states of
}

// Len returns the number of objects.
func (t *Table[K, T]) Len() int { return t.Slots.Len() }

// Get returns the object of key and its slot, or NoSlot.
func (t *Table[K, T]) Get(hash uint64, key K) (obj T, slot uint32) {
	l := t.Slots.Leaf(hash)
	for m := l.Matches(trie.TagOf(hash)); m != 0; m &= m - 1 {
		slot := l.Entries[bits.TrailingZeros32(m)]
		ch, i := t.ChunkOf(slot), slot&(ChunkSize-1)
		obj := ch.Objs[i]
		if t.Derive && t.Of(obj) == key || !t.Derive && ch.Keys[i] == key {
			return obj, slot
		}
	}
	return obj, NoSlot
}

// Find returns the slot of key, or NoSlot.
func (t *Table[K, T]) Find(hash uint64, key K) uint32 {
	_, slot := t.Get(hash, key)
	return slot
}

// KeyAt returns the key of the object in a slot.
func (t *Table[K, T]) KeyAt(slot uint32) K { return t.KeyIn(t.ChunkOf(slot), slot) }

// KeyIn returns the key of the object in a slot of ch.
func (t *Table[K, T]) KeyIn(ch *Chunk[K, T], slot uint32) K {
	if t.Derive {
		return t.Of(ch.Objs[slot&(ChunkSize-1)])
	}
	return ch.Keys[slot&(ChunkSize-1)]
}

// Lowest returns the object with the lowest key in a posting, if that is not empty.
func (t *Table[K, T]) Lowest(p *posting.Posting) (lowest T, ok bool) {
	var key K
	p.Each(func(slot uint32) bool {
		if k := t.KeyAt(slot); !ok || t.Order(k, key) < 0 {
			key, lowest, ok = k, t.At(slot), true
		}
		return true
	})
	return lowest, ok
}

// Update replaces the object in slot by one with the same key. It is not stale.
func (t *Table[K, T]) Update(owner uint64, slot uint32, obj T, key K) {
	t.setSlot(owner, slot, obj, key, !t.Derive)
	if t.staleObjectSlots.Len() > 0 {
		t.SetStale(owner, slot, false)
	}
}

// Insert stores the object of a new key in a free slot.
func (t *Table[K, T]) Insert(owner uint64, slot uint32, hash uint64, obj T, key K) {
	t.setSlot(owner, slot, obj, key, !t.Derive)
	t.Slots.Insert(owner, hash, slot, func(slot uint32) uint64 { return t.Hash(t.KeyAt(slot)) })
}

// Delete empties a slot. It returns false if the slot does not belong to a key with this hash.
func (t *Table[K, T]) Delete(owner uint64, slot uint32, hash uint64) bool {
	if !t.Slots.Remove(owner, hash, func(other uint32) bool { return other == slot }) {
		return false
	}
	t.clearSlot(owner, slot)
	t.SetStale(owner, slot, false)
	return true
}

// Stale reports whether the source has a newer state of the object in slot.
func (t *Table[K, T]) Stale(slot uint32) bool {
	_, ok := t.staleObjectSlots.Find(slotHash(slot), func(other uint32) bool { return other == slot })
	return ok
}

// StaleLen returns the number of stale objects.
func (t *Table[K, T]) StaleLen() int { return t.staleObjectSlots.Len() }

// SetStale sets whether the object in slot is stale. It copies at most one path of a trie. So
// writes are fast even if all objects are stale, for example after a conversion broke.
func (t *Table[K, T]) SetStale(owner uint64, slot uint32, stale bool) {
	switch isStale := t.Stale(slot); {
	case isStale == stale:
	case stale:
		t.staleObjectSlots.Insert(owner, slotHash(slot), slot, slotHash)
	default:
		t.staleObjectSlots.Remove(owner, slotHash(slot), func(other uint32) bool { return other == slot })
	}
}

// slotHash returns the hash of a slot in a trie.
func slotHash(slot uint32) uint64 { return uint64(slot) * 0x9e3779b97f4a7c15 }
