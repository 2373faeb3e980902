// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// keys reads and hashes the keys of all objects of b, before any lock is taken. It returns the
// keys of b.objs, and stores those of b.ops in b.ops. leftOut has an error for each object whose
// key cannot be read, in order.
func (s *Store[K, T]) keys(b *Batch[K, T]) (wanted []located[K], leftOut []*KeyError) {
	wanted = make([]located[K], len(b.objs))
	for from := 0; from < len(wanted); from += lookupSize {
		some := wanted[from:min(from+lookupSize, len(wanted))]
		leftOut = s.keysOf(leftOut, from, some, func(i int) *T { return &b.objs[from+i] })
	}
	for from := 0; from < len(b.ops); from += lookupSize {
		leftOut = s.keysOfOps(leftOut, len(b.objs)+from, b.ops[from:min(from+lookupSize, len(b.ops))])
	}
	return wanted, leftOut
}

// keysOfOps is keysOf for writes.
func (s *Store[K, T]) keysOfOps(leftOut []*KeyError, position int, ops []op[K, T]) []*KeyError {
	var of [lookupSize]located[K]
	some := of[:len(ops)]
	for i := range some {
		some[i].key = ops[i].key
	}
	leftOut = s.keysOf(leftOut, position, some, func(i int) *T {
		if ops[i].kind != opSet {
			return nil
		}
		return &ops[i].obj
	})
	for i := range some {
		ops[i].key, ops[i].hash = some[i].key, some[i].hash
	}
	return leftOut
}

// keysOf reads the keys of at most lookupSize objects; if obj returns nil, the key is already
// in some. Then it hashes them together, so that cache misses overlap. position is that of the
// first object in the batch. It appends to leftOut.
func (s *Store[K, T]) keysOf(
	leftOut []*KeyError, position int, some []located[K], obj func(i int) *T,
) []*KeyError {
	var keys [lookupSize]K
	for i := range some {
		if o := obj(i); o != nil {
			key, err := s.read(*o)
			if err != nil {
				leftOut = append(leftOut, &KeyError{Position: position + i, Err: err})
			}
			some[i].key = key
		}
		keys[i] = some[i].key
	}
	touchKeys(&keys, len(some))
	for i := range some {
		some[i].hash = s.hash(some[i].key)
	}
	return leftOut
}

// read returns the key of obj, or an error if the key function panics, as it does for nil.
func (s *Store[K, T]) read(obj T) (key K, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = index.Contained(r)
		}
	}()
	return s.keyOf(obj), nil
}

// holds reports whether the object in slot has the key.
func (s *Store[K, T]) holds(v *version[K, T], slot uint32, key K) bool {
	return s.keyIn(v.slots.ChunkOf(slot), slot) == key
}

// keyAt returns the key of the object in a slot of v.
func (s *Store[K, T]) keyAt(v *version[K, T], slot uint32) K {
	return s.keyIn(v.slots.ChunkOf(slot), slot)
}

func (s *Store[K, T]) keyIn(ch *slots.Chunk[K, T], slot uint32) K {
	if s.derive {
		return s.keyOf(ch.Objs[slot&(slots.ChunkSize-1)])
	}
	return ch.Keys[slot&(slots.ChunkSize-1)]
}

// keyOrder returns the order of keys, which defines the lowest key. Strings are ordered by
// value, NamespacedNames by namespace and then name, keys with a Compare method by it, and other
// keys by their Go syntax (%#v).
func keyOrder[K comparable]() func(a, b K) int {
	var order any
	switch any(*new(K)).(type) {
	case string:
		order = cmp.Compare[string]
	case types.NamespacedName:
		order = func(a, b types.NamespacedName) int {
			return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
		}
	case interface{ Compare(K) int }:
		return func(a, b K) int { return any(a).(interface{ Compare(K) int }).Compare(b) }
	default:
		return func(a, b K) int { return cmp.Compare(fmt.Sprintf("%#v", a), fmt.Sprintf("%#v", b)) }
	}
	return order.(func(a, b K) int)
}

// lowest returns the object with the lowest key in a posting of a frozen version.
func (s *Store[K, T]) lowest(v *version[K, T], p *posting.Posting) (lowest T) {
	var (
		key   K
		first = true
	)
	p.Each(func(slot uint32) bool {
		if k := s.keyAt(v, slot); first || s.order(k, key) < 0 {
			key, lowest, first = k, v.slots.At(slot), false
		}
		return true
	})
	return lowest
}
