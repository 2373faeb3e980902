// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Stale reports whether the source has a newer state of key's object, one that
// could not be decoded: what Get returns is the last that could.
func (r Reader[K, T]) Stale(key K) bool {
	if r.s == nil {
		return false
	}
	some := false
	if r.read(func(v *version[K, T]) { some = v.stale.Len() > 0 }); !some {
		return false // as a rule, and then the next write has nothing to copy
	}
	v := r.frozen()
	slot, ok := r.s.find(v, r.s.hash(key), key)
	return ok && v.isStale(slot)
}

func (v *version[K, T]) isStale(slot uint32) bool {
	_, ok := v.stale.Find(slotHash(slot), func(other uint32) bool { return other == slot })
	return ok
}

// setStale notes whether the object in slot is stale. It copies a path of a trie at
// most, however many are: when all are, since a conversion has broken, each write is as
// quick as before.
func (v *version[K, T]) setStale(slot uint32, stale bool) {
	switch is := v.isStale(slot); {
	case is == stale:
	case stale:
		v.stale.Insert(v.owner, slotHash(slot), slot, slotHash)
	default:
		v.stale.Remove(v.owner, slotHash(slot), func(other uint32) bool { return other == slot })
	}
}

// slotHash spreads slots over a trie.
func slotHash(slot uint32) uint64 { return uint64(slot) * 0x9e3779b97f4a7c15 }
