// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/buckets"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slots"
)

// bucketsOf returns the buckets of a frozen version, made for the occasion if
// that does not have the index.
func (x *index[K, T, V]) bucketsOf(s *Store[K, T], v *version[K, T]) *buckets.Buckets[V] {
	if x.store == s && x.id < len(v.indexes) {
		return x.in(v)
	}
	b := buckets.New(0, s.seed, x.order)
	var q asked[V]
	v.slots.Each(func(slot uint32, ch *slots.Chunk[K, T]) bool {
		_ = x.ask(&q, ch.Objs[slot&(slots.ChunkSize-1)]) // reported when the object was stored
		for i, value := range q.values {
			b.Add(q.hashes[i], value, slot)
			b.Multi = b.Multi || i > 0
		}
		return true
	})
	return b
}

// asked is what an index function has said of an object: distinct values, and
// their hashes. Its memory serves again.
type asked[V comparable] struct {
	values []V
	hashes []uint64
}

// reset forgets the values. Of few it keeps what they point to until the next
// write overwrites it.
func (q *asked[V]) reset() {
	if len(q.values) > 16 {
		clear(q.values)
	}
	q.values, q.hashes = q.values[:0], q.hashes[:0]
}

// ask has the index function say where obj goes. If it panics, or a value
// cannot be hashed, that is an error, and there are no values.
func (x *index[K, T, V]) ask(q *asked[V], obj T) (err error) {
	q.reset()
	defer func() {
		if r := recover(); r != nil {
			q.reset()
			err = contained(r)
		}
	}()
	x.fill(q, obj)
	return nil
}

// fill is ask where a panic is caught elsewhere.
func (x *index[K, T, V]) fill(q *asked[V], obj T) {
	values := x.fn(q.values, obj)
	if sameArray(values, q.values) {
		q.values = values
	} else {
		// It may be the object's own, and is not to be written to: dst has to grow, or
		// was not appended to.
		q.values = append(q.values, values...)
	}
	q.values = dedupe(q.values)
	for _, value := range q.values {
		q.hashes = append(q.hashes, x.hash(value))
	}
}

// sameArray reports whether two slices begin at one place.
func sameArray[V any](a, b []V) bool {
	return cap(a) > 0 && cap(b) > 0 && &a[:1][0] == &b[:1][0]
}

// manyValues is of how many values a table is made to look them up.
const manyValues = 32

// among tells whether a value is one of some: a table does, if they are many, for an object
// of thousands of values is compared with another.
type among[V comparable] struct {
	few  []V
	many map[V]struct{}
}

func amongst[V comparable](values []V) among[V] {
	if len(values) <= manyValues {
		return among[V]{few: values}
	}
	many := make(map[V]struct{}, len(values))
	for _, v := range values {
		many[v] = struct{}{}
	}
	return among[V]{many: many}
}

func (a among[V]) has(value V) bool {
	if a.many != nil {
		_, ok := a.many[value]
		return ok
	}
	return slices.Contains(a.few, value)
}

// dedupe drops values that are there twice, and those that equal not even
// themselves (a float's NaN) and so could never be asked for.
func dedupe[V comparable](values []V) []V {
	if len(values) == 0 || len(values) == 1 && values[0] == values[0] {
		return values
	}
	kept := values[:0]
	if len(values) > manyValues {
		seen := make(map[V]struct{}, len(values))
		for _, v := range values {
			if _, dup := seen[v]; !dup && v == v {
				seen[v] = struct{}{}
				kept = append(kept, v)
			}
		}
		return kept
	}
	for _, v := range values {
		if v == v && !slices.Contains(kept, v) {
			kept = append(kept, v)
		}
	}
	return kept
}

func (x *index[K, T, V]) fail(key K, err error) {
	x.store.failed = append(x.store.failed, func() error {
		return &IndexError{Index: x.name, Key: fmt.Sprint(key), Err: err}
	})
}
