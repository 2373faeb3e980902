// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// readKeys reads and hashes the keys of all objects of b, before any lock is taken. It returns
// the keys of b.objs, and stores those of b.ops in b.ops. leftOut has an error for each object
// whose key cannot be read, in order.
func (s *Store[K, T]) readKeys(b *Batch[K, T]) (wanted []table.Located[K], leftOut []*KeyError) {
	read := func(position int, obj T) K {
		key, err := s.read(obj)
		if err != nil {
			leftOut = append(leftOut, &KeyError{Position: position, Err: err})
		}
		return key
	}
	wanted = make([]table.Located[K], len(b.objs))
	for i, obj := range b.objs {
		wanted[i].Key = read(i, obj)
	}
	s.keys.HashAll(wanted)
	for i := range b.ops {
		o := &b.ops[i]
		if o.kind == opSet {
			o.key = read(len(b.objs)+i, o.obj)
		}
		o.hash = s.keys.Hash(o.key)
	}
	return wanted, leftOut
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
