// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// placing is that a slot is to be put under a value.
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
	b := v.ownIndex(x.id).(*buckets[V])
	var under [lookahead]*bucket[V]
	for i := range x.postponed {
		under[i], _ = first(&b.trie, x.postponed[i].hash)
	}
	for i, e := range under[:len(x.postponed)] {
		if e != nil && e.value == x.postponed[i].value {
			e.posting.touch()
		}
	}
	for i := range x.postponed {
		x.add(b, x.postponed[i].hash, x.postponed[i].value, x.postponed[i].slot)
	}
	clear(x.postponed)
	x.postponed = x.postponed[:0]
}

// touch reads what add will.
//
//go:noinline
func (p *posting) touch() (last uint32) {
	if n := len(p.small); n > 0 {
		last = p.small[n-1]
	}
	return last
}

// catchUp has every index do what it has postponed. An object of which an index may
// have must not be written again before.
func (s *Store[K, T]) catchUp(v *version[K, T]) {
	for _, x := range s.indexers {
		x.catchUp(v)
	}
}
