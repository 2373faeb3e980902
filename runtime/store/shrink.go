// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// A store shrinks after most of its objects were deleted. Trie nodes are not merged as they
// empty, and slices by slot keep their length. So when few slots are in use, shrink moves the
// objects to the first slots in a new version. Readers and snapshots are not affected.
//
// Shrinking takes as long as storing the remaining objects in an empty store, and calls no
// index function. At least seven times as many deletions come before it.

const (
	shrinkFrom = 1 << 14 // slots; a smaller store does not shrink
	shrinkAt   = 8       // slots per object
)

// shrink releases the memory of deleted objects if it is much. The caller holds write, and
// nothing is staged.
func (s *Store[K, T]) shrink(v *version[K, T]) {
	n := v.Len()
	if len(s.fingerprints) < shrinkFrom || n > len(s.fingerprints)/shrinkAt {
		return
	}
	compact, live := v.Compact(v.owner)
	to, fingerprints := make([]uint32, len(s.fingerprints)), make([]uint64, n) // by old and by new slot
	for next, slot := range live {
		to[slot], fingerprints[next] = uint32(next), s.fingerprints[slot] //nolint:gosec // fewer than slots
	}
	for _, x := range s.indexers {
		x.Renumber(&v.indexes, v.owner, to)
	}
	v.Table, s.fingerprints, s.free = compact, fingerprints, nil
	s.owners.Renumber(live, to)
}
