// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// readKeys reads the keys of the objects of b that have been given without, and hashes all keys, before
// any lock is taken. It returns an error for the first object whose key cannot be read.
func (s *Store[K, T]) readKeys(b *Batch[K, T]) error {
	for i := range b.ops {
		o := &b.ops[i]
		if o.unread {
			key, err := s.read(o.Object)
			if err != nil {
				return &KeyError{Position: i, Err: err}
			}
			o.Key = key
		}
		o.slot = table.NoSlot
		if !b.replace {
			o.hash = s.keys.Hash(o.Key)
		}
	}
	if b.replace {
		hashAll(s.keys, b)
	}
	return nil
}

// hashAll hashes the keys of a list, which may have come long ago: their cache misses overlap.
func hashAll[K comparable, T any](keys *table.Keys[K, T], b *Batch[K, T]) {
	var group [table.LookupSize]table.Located[K]
	for ops := range slices.Chunk(b.ops, len(group)) {
		for i := range ops {
			group[i].Key = ops[i].Key
		}
		keys.HashAll(group[:len(ops)])
		for i := range ops {
			ops[i].hash = group[i].Hash
		}
	}
}

// locate looks up the slots of all writes of b in v.
func locate[K comparable, T any](v *version[K, T], b *Batch[K, T]) {
	var group [table.LookupSize]table.Located[K]
	for ops := range slices.Chunk(b.ops, len(group)) {
		for i := range ops {
			group[i].Key, group[i].Hash = ops[i].Key, ops[i].hash
		}
		v.FindAll(group[:len(ops)])
		for i := range ops {
			ops[i].slot = group[i].Slot
		}
	}
}

// read returns the key of obj, or an error if the key function panics, as it does for nil.
func (s *Store[K, T]) read(obj T) (key K, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = index.Contained(r)
		}
	}()
	return s.keys.Of(obj), nil
}
