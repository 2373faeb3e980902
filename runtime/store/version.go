// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

// version is one state of the store: everything that a reader sees. What hangs
// from it may be changed in place by the owner it was made for, as long as no
// reader has taken it.
type version[K comparable, T any] struct {
	owner     uint64
	slots     slots.Vector[K, T]
	keys      trie.Trie[uint32] // slots, by the hash of their object's key
	indexes   []any             // the *buckets.Buckets of each index, by index.id
	indexesOf uint64            // who may change them
	labels    int               // the id of the label index, and one; 0: there is none

	resourceVersion string
	epoch           uint64            // how often the source has gone backward
	left            uint64            // how often the stream without a name has ended
	stale           trie.Trie[uint32] // slots whose objects are not the last that the source has had
	streams         []followed        // by owners' id, less one
	streamsOf       uint64            // who may change them
	joins           bool              // some may be joined
	unnamed         bool              // that without a name is joined
	entered         bool              // that without a name is one of several, by a batch that said so
	joinedEpoch     uint64            // how often one that is joined has gone backward
}

// branch returns a version that shares everything with v, for owner to change.
func (v *version[K, T]) branch(owner uint64) *version[K, T] {
	c := *v
	c.owner = owner
	return &c
}
