// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

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
	// matchingSlots returns the slots of the objects that match in r, which is frozen and not zero.
	matchingSlots(r Reader[K, T]) query.Set
	notify.Watchable
}

// evaluate returns the version that r reads, and the slots of the objects in it that match q.
func (q Query[K, T]) evaluate(r Reader[K, T]) (*version[K, T], query.Set) {
	if r = r.Snapshot(); r.store == nil {
		return r.version(), query.None
	}
	return r.frozenVersion, nodeOrNone(q).matchingSlots(r)
}

// Get yields the objects that match q, once each, in no particular order. The sequence ranges
// over a snapshot taken when the loop begins.
func (q Query[K, T]) Get(r Reader[K, T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		v, answer := q.evaluate(r)
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
			yieldInRuns(v, answer, yield)
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

// yieldInRuns yields the objects of a large set in runs.
func yieldInRuns[K comparable, T any](v *version[K, T], s query.Set, yield func(T) bool) {
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
	_, answer := q.evaluate(r)
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
		v, answer := q.evaluate(r)
		answer.Each(func(slot uint32) bool { return yield(v.KeyAt(slot)) })
	}
}

// Equal returns a query for the objects under value.
func (ix Index[K, T, V]) Equal(value V) Query[K, T] {
	if ix.index == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&valueQuery[K, T, V]{ix, value}}
}

type valueQuery[K comparable, T any, V comparable] struct {
	Index[K, T, V]
	value V
}

func (q *valueQuery[K, T, V]) matchingSlots(r Reader[K, T]) query.Set {
	_, p := q.lookupPosting(r, q.value)
	return p
}

func (q *valueQuery[K, T, V]) Watch(w *notify.List, sig *notify.Signal) (unwatch func()) {
	if q.index.Watch != w {
		return w.Every(sig)
	}
	return q.index.Watchers.Add(q.value, sig)
}
