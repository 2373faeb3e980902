// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// stage computes the index values of the objects of c, and finds out which indexes the change concerns.
// trusted says that these have the slot under the old values. fingerprint is that of all values of the new
// object, if there is one. Readers see none of this.
func (s *Store[K, T]) stage(c *Change[T], slot uint32) (
	fingerprint uint64, changed []index.Writer[T], trusted bool,
) {
	obj := &c.New
	if c.Type == Deleted {
		obj = nil
	}
	for _, x := range s.indexers {
		fingerprint += x.StageNew(obj)
	}
	changed, trusted = s.indexers, true
	if c.Type != Added {
		changed, trusted = s.askOld(&c.Old, s.fingerprints[slot]-fingerprint)
	}
	if s.watched {
		s.watch.Note(func(fire func(*notify.Signal)) {
			for _, x := range s.indexers {
				x.Note(fire)
			}
		})
	}
	return fingerprint, changed, trusted
}

// askOld returns the indexes whose values an update or a delete changes. It asks the index functions about
// the old object only as far as needed. The store has a fingerprint for each slot: the sum of the hashes of
// all index values of its object. So the difference of two fingerprints is the sum of the differences that
// the indexes make:
//
//	                   Node             App        Phase
//	 old object   h("n-1")        + h("web") + h("Running")    = fingerprints[slot]
//	-new object   h("n-2")        + h("web") + h("Running")    = fingerprint
//	              h("n-1")-h("n-2") +  0      +  0              = difference
//
// askOld asks one index after the other, and subtracts what it makes. When nothing is left, the indexes that
// were not asked make no difference. It begins with the index that changed last, which is likely to change
// again. If something is left in the end, the old object has other values than when it was stored: a
// function is impure, or the object was changed. Then all indexes must be visited, and the old values are
// not trusted.
func (s *Store[K, T]) askOld(old *T, difference uint64) (changed []index.Writer[T], trusted bool) {
	changed = s.changedIndexes[:0]
	first := s.lastChangedIndex
	for i := 0; difference != 0; i++ {
		if i == len(s.indexers) {
			return s.indexers, false
		}
		n := (first + i) % len(s.indexers)
		if d := s.indexers[n].StageOld(old); d != 0 {
			difference -= d
			changed = append(changed, s.indexers[n])
			s.lastChangedIndex = n
		}
	}
	s.changedIndexes = changed
	return changed, true
}
