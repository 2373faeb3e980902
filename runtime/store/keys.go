// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
)

// errNoEqual is why a key that holds a float's NaN is none.
var errNoEqual = errors.New("the key does not equal itself, so that nothing could be found by it")

// keys reads the keys of all objects of b, before any lock is taken, and hashes
// them: those of b.objs are returned, those of its writes are put beside them. What
// cannot be a key is found here: later it would stop a batch halfway.
func (s *Store[K, T]) keys(b *Batch[K, T]) ([]located[K], error) {
	wanted := make([]located[K], len(b.objs))
	for from := 0; from < len(wanted); from += lookahead {
		some := wanted[from:min(from+lookahead, len(wanted))]
		if at, err := s.keysOf(some, func(i int) *T { return &b.objs[from+i] }); err != nil {
			return nil, &KeyError{Position: from + at, Err: err}
		}
	}
	for from := 0; from < len(b.ops); from += lookahead {
		some := b.ops[from:min(from+lookahead, len(b.ops))]
		if at, err := s.keysOfOps(some); err != nil {
			return nil, &KeyError{Position: len(b.objs) + from + at, Err: err}
		}
	}
	return wanted, nil
}

// keysOfOps is keysOf for writes.
func (s *Store[K, T]) keysOfOps(ops []op[K, T]) (at int, err error) {
	var of [lookahead]located[K]
	some := of[:len(ops)]
	for i := range some {
		some[i].key = ops[i].key
	}
	at, err = s.keysOf(some, func(i int) *T {
		if ops[i].kind != opSet {
			return nil
		}
		return &ops[i].obj
	})
	for i := range some {
		ops[i].key, ops[i].hash = some[i].key, some[i].hash
	}
	return at, err
}

// keysOf reads the keys of some objects, lookahead at most; where obj returns nil, the key is
// there. Then it hashes them, so that the hashes wait for memory together. It fails for the
// first that has no key, and says which that is.
func (s *Store[K, T]) keysOf(some []located[K], obj func(i int) *T) (at int, err error) {
	var keys [lookahead]K
	n := 0
	for ; n < len(some) && err == nil; n++ {
		if o := obj(n); o != nil {
			some[n].key, err = s.read(*o)
		}
		keys[n] = some[n].key
	}
	if err != nil {
		n--
	}
	touchKeys(&keys, n)
	for i := range some[:n] {
		hash, bad := s.hashed(some[i].key)
		if bad != nil {
			return i, bad
		}
		some[i].hash = hash
	}
	return n, err
}

// key reads the key of obj, and hashes it.
func (s *Store[K, T]) key(obj T) (key K, hash uint64, err error) {
	if key, err = s.read(obj); err == nil {
		hash, err = s.hashed(key)
	}
	return key, hash, err
}

// read reads the key of obj; of a nil object, say, that is an error and not a panic.
func (s *Store[K, T]) read(obj T) (key K, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = contained(r)
		}
	}()
	return s.keyOf(obj), nil
}

// hashed hashes a key. One that cannot be, since it is an interface that holds a
// slice, say, is an error and not a panic.
func (s *Store[K, T]) hashed(key K) (hash uint64, err error) {
	if s.sound {
		return s.hash(key), nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = contained(r)
		}
	}()
	if hash = s.hash(key); key != key {
		err = errNoEqual
	}
	return hash, err
}

// isSound reports whether all values of a type can be keys.
func isSound(t reflect.Type) bool {
	return !hasPart(t, reflect.Interface, reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128)
}

// holds reports whether the object in slot has the key. One whose key cannot be
// read, for somebody has written to it, has none.
func (s *Store[K, T]) holds(v *version[K, T], slot uint32, key K) bool {
	ch := v.slots.chunkOf(slot)
	if s.derive {
		return s.has(ch.objs[slot&(chunkSize-1)], key)
	}
	return ch.keys[slot&(chunkSize-1)] == key
}

func (s *Store[K, T]) has(obj T, key K) (has bool) {
	defer func() {
		if r := recover(); r != nil {
			has = false
			s.met(r)
		}
	}()
	return s.keyOf(obj) == key
}

// keyAt returns the key of an object in a slot of v, and whether it can be read.
func (s *Store[K, T]) keyAt(v *version[K, T], slot uint32) (key K, ok bool) {
	return s.keyIn(v.slots.chunkOf(slot), slot)
}

func (s *Store[K, T]) keyIn(ch *chunk[K, T], slot uint32) (key K, ok bool) {
	if s.derive {
		return s.derived(ch.objs[slot&(chunkSize-1)])
	}
	return ch.keys[slot&(chunkSize-1)], true
}

func (s *Store[K, T]) derived(obj T) (key K, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			s.met(r)
		}
	}()
	return s.keyOf(obj), true
}

// lastKey returns the key of an object in the store; the zero one if it cannot be read.
func (s *Store[K, T]) lastKey(ch *chunk[K, T], slot uint32) K {
	key, _ := s.keyIn(ch, slot)
	return key
}

// lastHash returns the hash of the key in slot. Where the trie puts one that is not
// that which it came with, it is found by its slot alone.
func (s *Store[K, T]) lastHash(v *version[K, T], slot uint32) uint64 {
	return s.hash(s.lastKey(v.slots.chunkOf(slot), slot))
}

// keyless records that some object in the store has a key that cannot be read.
type keyless struct {
	err  error
	told atomic.Bool
}

// met notes what reading a key has panicked with. That is reported with the next write,
// for who meets it may hold a lock, and once until a Replace, which takes such objects out.
func (s *Store[K, T]) met(recovered any) {
	if s.keyless.Load() == nil {
		s.keyless.CompareAndSwap(nil, &keyless{err: contained(recovered)})
	}
}

// takeKeyless returns what is to be reported of that, nil for nothing.
func (s *Store[K, T]) takeKeyless() error {
	if k := s.keyless.Load(); k != nil && !k.told.Swap(true) {
		return fmt.Errorf("the key of an object in the store cannot be read, so that it is found by no key until the next list takes it out; somebody has written to it: %w", k.err)
	}
	return nil
}
