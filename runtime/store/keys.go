// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"reflect"
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

// holds reports whether the object in slot has the key.
func (s *Store[K, T]) holds(v *version[K, T], slot uint32, key K) bool {
	return s.keyIn(v.slots.chunkOf(slot), slot) == key
}

// keyAt returns the key of an object in a slot of v.
func (s *Store[K, T]) keyAt(v *version[K, T], slot uint32) K {
	return s.keyIn(v.slots.chunkOf(slot), slot)
}

func (s *Store[K, T]) keyIn(ch *chunk[K, T], slot uint32) K {
	if s.derive {
		return s.keyOf(ch.objs[slot&(chunkSize-1)])
	}
	return ch.keys[slot&(chunkSize-1)]
}
