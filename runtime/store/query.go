// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
)

// Query selects objects by their index values. It is an immutable value that can be used with
// any reader, any number of times.
//
//	q := store.AllOf(byNode.Equal("node-7"), byPhase.Equal("Running"))
//	for p := range q.Get(r) { … }
//
// Queries over indexes of one store can be combined with [AllOf], [AnyOf] and [Query.Except].
// The zero Query finds nothing.
type Query[K comparable, T any] struct{ node queryNode[K, T] }

// queryNode evaluates a query.
type queryNode[K comparable, T any] interface {
	// in returns the slots of matching objects in a frozen version.
	in(s *Store[K, T], v *version[K, T]) query.Set
	notify.Watchable
}

// Get yields the objects that match q, once each, in no particular order. The sequence ranges
// over a snapshot taken when the loop begins.
func (q Query[K, T]) Get(r Reader[K, T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		if q.node == nil || r.s == nil {
			return
		}
		v := r.version()
		answer := q.node.in(r.s, v)
		var (
			c     query.Run[K, T]
			small [query.RunSize]uint32
		)
		if set, ok := answer.(*posting.Posting); ok { // gathered first, it takes twice as long
			for objs := c.OfPosting(&v.Vector, set); len(objs) > 0; objs = c.Next() {
				for _, obj := range objs {
					if !yield(obj) {
						return
					}
				}
			}
			return
		}
		if answer.AtMost() > query.Gathered {
			yieldLarge(v, answer, yield)
			return
		}
		for slots := query.Gather(small[:0], answer); len(slots) > 0; {
			n := min(len(slots), query.RunSize)
			for _, obj := range c.OfSlots(&v.Vector, slots[:n]) {
				if !yield(obj) {
					return
				}
			}
			slots = slots[n:]
		}
	}
}

// yieldLarge yields the objects of a large set in runs.
func yieldLarge[K comparable, T any](v *version[K, T], s query.Set, yield func(T) bool) {
	var objs [query.RunSize]T
	n := 0
	flush := func() bool {
		for _, obj := range objs[:n] {
			if !yield(obj) {
				return false
			}
		}
		n = 0
		return true
	}
	goOn := s.Each(func(slot uint32) bool {
		objs[n] = v.At(slot)
		n++
		return n < query.RunSize || flush()
	})
	if goOn {
		flush()
	}
}

// Count returns the number of objects that match q. For one value of one index, and for all
// objects, it visits none of them. For other queries it visits the objects of a snapshot.
func (q Query[K, T]) Count(r Reader[K, T]) (n int) {
	if q.node == nil || r.s == nil {
		return 0
	}
	answer := q.node.in(r.s, r.version())
	switch answer := answer.(type) {
	case *posting.Posting:
		return answer.Len()
	case query.Live[K, T]:
		if answer.Without == nil {
			return answer.N
		}
	}
	answer.Each(func(uint32) bool { n++; return true })
	return n
}

// Keys yields the keys of the objects that match q.
func (q Query[K, T]) Keys(r Reader[K, T]) iter.Seq[K] {
	return func(yield func(K) bool) {
		if q.node == nil || r.s == nil {
			return
		}
		v := r.version()
		q.node.in(r.s, v).Each(func(slot uint32) bool {
			return yield(v.KeyAt(slot))
		})
	}
}

// Equal returns a query for the objects under value.
func (ix Index[K, T, V]) Equal(value V) Query[K, T] {
	if ix.x == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&valueQuery[K, T, V]{ix.x, value, ix.x.Hash(value)}}
}

type valueQuery[K comparable, T any, V comparable] struct {
	x     *index.Index[T, V]
	value V
	hash  uint64
}

func (q *valueQuery[K, T, V]) in(s *Store[K, T], v *version[K, T]) query.Set {
	if p := lookup(q.x, s, v, q.hash, q.value); p != nil {
		return p
	}
	return query.None
}

func (q *valueQuery[K, T, V]) Watch(w *notify.List, sig *notify.Signal) (unwatch func()) {
	if q.x.Watch != w {
		return w.Every(sig)
	}
	return q.x.Watchers.Add(q.value, sig)
}
