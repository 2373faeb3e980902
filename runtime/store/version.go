// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

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
	indexes   []indexState      // by index.id
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

// indexState is what one index knows in one version.
type indexState interface {
	// own returns the state for owner to change: itself or a copy.
	own(owner uint64) indexState
}

// branch returns a version that shares everything with v, for owner to change.
func (v *version[K, T]) branch(owner uint64) *version[K, T] {
	c := *v
	c.owner = owner
	return &c
}

func (v *version[K, T]) ownIndex(id int) indexState {
	if v.indexesOf != v.owner {
		v.indexes, v.indexesOf = slices.Clone(v.indexes), v.owner
	}
	v.indexes[id] = v.indexes[id].own(v.owner)
	return v.indexes[id]
}
