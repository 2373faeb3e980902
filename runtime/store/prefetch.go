// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/extract"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// lookahead is how many keys are looked up, and objects asked about, at once.
	prefetchSize = 16
	noSlot       = ^uint32(0)
	unasked      = -1 // in place of a write's number among those that come
)

// located is a key, and where it is.
type located[K comparable] struct {
	key  K
	hash uint64
	slot uint32 // noSlot: nowhere
}

// findAll looks keys up. It goes over some of them step by step: each step of one
// waits for memory, and the same step of the others need not wait for that. Half the
// time of a Replace went into looking up one key after the other.
func (s *Store[K, T]) findAll(v *version[K, T], wanted []located[K]) {
	var (
		leaves [prefetchSize]*trie.Leaf[uint32]
		found  [prefetchSize]K
	)
	for len(wanted) > 0 {
		some := wanted[:min(len(wanted), prefetchSize)]
		for i := range some {
			leaves[i] = v.keys.Leaf(some[i].hash)
		}
		for i := range some {
			some[i].slot = likely(leaves[i], some[i].hash)
		}
		s.keysAt(v, some, &found)
		touchKeys(&found, len(some))
		for i := range some {
			if w := &some[i]; w.slot == noSlot || found[i] != w.key {
				w.slot = s.slotOf(v, w)
			}
		}
		wanted = wanted[len(some):]
	}
}

// slotOf looks one key up.
func (s *Store[K, T]) slotOf(v *version[K, T], w *located[K]) uint32 {
	if slot, ok := s.find(v, w.hash, w.key); ok {
		return slot
	}
	return noSlot
}

// keysAt reads the keys of what is in the slots of some.
func (s *Store[K, T]) keysAt(v *version[K, T], some []located[K], found *[prefetchSize]K) {
	var held [prefetchSize]T
	for i := range some {
		slot := some[i].slot
		if slot == noSlot {
			continue
		}
		if ch := v.slots.ChunkOf(slot); s.derive {
			held[i] = ch.Objs[slot&(slots.ChunkSize-1)]
		} else {
			found[i] = ch.Keys[slot&(slots.ChunkSize-1)]
		}
	}
	for i := range some {
		if s.derive && some[i].slot != noSlot {
			found[i] = s.keyOf(held[i])
		}
	}
}

// putAll does some writes of a batch, lookahead at most.
func (s *Store[K, T]) putAll(v *version[K, T], ops []op[K, T], b *Batch[K, T]) {
	var at [prefetchSize]located[K]
	for i := range ops {
		at[i].key, at[i].hash = ops[i].key, ops[i].hash
		if ops[i].kind == opSet {
			s.upcoming.objs[i] = &ops[i].obj
		}
	}
	s.prefetch(len(ops))
	s.findAll(v, at[:len(ops)])
	for i := range ops {
		if slot := at[i].slot; slot != noSlot {
			slots.Touch(&s.fingerprints[slot])
		}
	}
	deleted := false // then a slot that was found may be another's by now
	for i := range ops {
		slot := at[i].slot
		if slot == noSlot || deleted {
			slot = s.slotOf(v, &at[i])
		}
		s.put(v, s.stageAt(v, &ops[i], slot, i), b)
		deleted = deleted || ops[i].kind == opDelete
	}
}

// likely returns the slot of the first entry of a leaf that has the hash's tag, or noSlot.
func likely(l *trie.Leaf[uint32], hash uint64) uint32 {
	if slot, ok := l.First(hash); ok {
		return slot
	}
	return noSlot
}

// touchKeys reads a byte of each name in n keys, if they are names, so that hashing and
// comparing those need not wait for memory one after the other.
func touchKeys[K comparable](keys *[prefetchSize]K, n int) {
	if names, ok := any(keys).(*[prefetchSize]types.NamespacedName); ok {
		touchNames(names[:n])
	}
}

//go:noinline
func touchNames(keys []types.NamespacedName) (sum byte) {
	for i := range keys {
		if key := &keys[i]; key.Name != "" && key.Namespace != "" {
			sum += key.Name[0] + key.Namespace[0]
		}
	}
	return sum
}

// ahead is what an index function has said of some objects before the first of them is
// written. A function waits for memory that nobody has looked at for long, and then the
// hashes of what it says do; those of several objects do so together. See lookahead.
type prefetched[V comparable] struct {
	extract.Result[V]
	ends         [prefetchSize]int // of each object's, in values and hashes
	fingerprints [prefetchSize]uint64
}

// askAhead asks about some objects, lookahead at most, nil for none. It may panic.
func (x *index[K, T, V]) prefetch(objs []*T) {
	q := &x.prefetched
	q.Reset()
	for i, obj := range objs {
		if obj != nil {
			q.add(x.fn(q.Values[len(q.Values):], *obj))
		}
		q.ends[i] = len(q.Values)
	}
	for _, value := range q.Values {
		q.Hashes = append(q.Hashes, x.hash(value))
	}
	begin := 0
	for i, end := range q.ends[:len(objs)] {
		q.fingerprints[i] = x.fingerprint(q.Values[begin:end], q.Hashes[begin:end])
		begin = end
	}
}

// add takes over what a function has appended to the room behind the values.
func (q *prefetched[V]) add(values []V) {
	n := len(q.Values)
	if extract.SameArray(values, q.Values[n:]) {
		q.Values = q.Values[:n+len(values)]
	} else {
		q.Values = append(q.Values, values...)
	}
	q.Values = q.Values[:n+len(extract.Dedupe(q.Values[n:]))]
}

// stageAhead is stageNew for the i-th of the objects that were asked about.
func (x *index[K, T, V]) stagePrefetched(i int) (mark uint64) {
	q, begin := &x.prefetched, 0
	if i > 0 {
		begin = q.ends[i-1]
	}
	x.newValues.Reset()
	x.oldValues.Reset()
	x.newValues.Values = append(x.newValues.Values, q.Values[begin:q.ends[i]]...)
	x.newValues.Hashes = append(x.newValues.Hashes, q.Hashes[begin:q.ends[i]]...)
	x.oldKnown, x.newFingerprint = false, q.fingerprints[i]
	return x.newFingerprint
}

// comings are the objects that are written next, and whether the index functions have been
// asked about all of them.
type upcoming[T any] struct {
	objs       [prefetchSize]*T // nil: that write has none
	prefetched bool
}

// askAhead has the index functions say where s.coming go. If one fails, which will have to
// be told of the object, each is asked about by itself when it is written.
func (s *Store[K, T]) prefetch(n int) {
	s.upcoming.prefetched = false
	defer func() {
		_ = recover()
		clear(s.upcoming.objs[:])
	}()
	for _, x := range s.indexers {
		x.prefetch(s.upcoming.objs[:n])
	}
	s.upcoming.prefetched = true
}
