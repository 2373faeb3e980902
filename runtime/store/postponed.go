// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// placing is a slot, and the value that it is to be put under.
type placing[V comparable] struct {
	value V
	hash  uint64
	slot  uint32
}

// postpone notes where the new object of a Replace goes, in place of commit, so that the
// buckets of several can be looked up together: more than a third of a first Replace
// went into looking up one after the other. An ordered index, where other nodes than
// those of one bucket are read, does not.
func (x *index[K, T, V]) postpone(v *version[K, T], slot uint32) bool {
	if !x.store.replacing || x.order != nil {
		return false
	}
	for i, value := range x.now.values {
		x.postponed = append(x.postponed, placing[V]{value, x.now.hashes[i], slot})
		if len(x.postponed) == lookahead {
			x.catchUp(v)
		}
	}
	return true
}

// catchUp does what was postponed. See lookahead for its steps.
func (x *index[K, T, V]) catchUp(v *version[K, T]) {
	if len(x.postponed) == 0 {
		return
	}
	b := x.own(v)
	var under [lookahead]*posting.Bucket[V]
	for i := range x.postponed {
		under[i] = b.Likely(x.postponed[i].hash)
	}
	for i, e := range under[:len(x.postponed)] {
		if e != nil && e.Value != x.postponed[i].value {
			under[i] = nil
		} else if e != nil {
			e.Posting.Touch()
		}
	}
	for i := range x.postponed {
		p := &x.postponed[i]
		if e := under[i]; e != nil && b.Push(e, p.slot) {
			x.pushed = true
		} else {
			b.Add(p.hash, p.value, p.slot) // it fails in ordered indexes only
		}
	}
	clear(x.postponed)
	x.postponed = x.postponed[:0]
}

// trim has postings that were pushed to leave as much room as others.
func (x *index[K, T, V]) trim(v *version[K, T]) {
	if !x.pushed {
		return
	}
	x.pushed = false
	x.own(v).Trim()
}

// catchUp has every index do what it has postponed. An object of which an index may
// have must not be written again before.
func (s *Store[K, T]) catchUp(v *version[K, T]) {
	for _, x := range s.indexers {
		x.catchUp(v)
	}
}
