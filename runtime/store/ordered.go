// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
)

// Ordered is a handle of an index whose values have an order. Besides the objects of one value
// it finds those in a range of values, in ascending or descending order.
type Ordered[K comparable, T any, V comparable] struct{ Index[K, T, V] }

// AddOrdered is AddIndex for values with an order, such as cmp.Compare. The order must be total,
// return 0 for equal values only, be pure like fn, and not panic. It runs in writes, like fn,
// and in reads. If it returns 0 for different values, this is reported, and the object is not
// indexed under the second of them. Finding, adding and removing a value take logarithmic time
// in the number of values.
func AddOrdered[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V, order func(a, b V) int,
) Ordered[K, T, V] {
	x := &index.Index[T, V]{Name: name, Fn: fn, Order: order}
	return Ordered[K, T, V]{Index[K, T, V]{addIndex(s, x)}}
}

// Ascend yields the objects under the values in span, the lowest value first. Objects of one
// value come in no particular order. An object with several of the values is yielded once for
// each.
func (ix Ordered[K, T, V]) Ascend(r Reader[K, T], span Range[V]) iter.Seq[T] {
	return ix.objectsInRange(r, span, false)
}

// Descend is like Ascend, with the highest value first.
func (ix Ordered[K, T, V]) Descend(r Reader[K, T], span Range[V]) iter.Seq[T] {
	return ix.objectsInRange(r, span, true)
}

func (ix Ordered[K, T, V]) objectsInRange(r Reader[K, T], span Range[V], down bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		v, b := ix.findOrBuildBuckets(r)
		b.Walk(span.bounds, down, func(e *posting.Bucket[V]) bool {
			var c query.Run[K, T]
			for objs := c.OfPosting(&v.Vector, &e.Posting); len(objs) > 0; objs = c.Next() {
				for _, obj := range objs {
					if !yield(obj) {
						return false
					}
				}
			}
			return true
		})
	}
}

// Min returns the object with the lowest value; of several, the one with the lowest key.
func (ix Ordered[K, T, V]) Min(r Reader[K, T]) (T, bool) { return ix.firstObject(r, false) }

// Max returns the object with the highest value; of several, the one with the lowest key.
func (ix Ordered[K, T, V]) Max(r Reader[K, T]) (T, bool) { return ix.firstObject(r, true) }

func (ix Ordered[K, T, V]) firstObject(r Reader[K, T], down bool) (obj T, ok bool) {
	v, b := ix.findOrBuildBuckets(r)
	b.Walk(btree.Range[V]{}, down, func(e *posting.Bucket[V]) bool {
		obj, ok = v.Lowest(&e.Posting)
		return false
	})
	return obj, ok
}

// Within returns a query for the objects that have a value in span.
func (ix Ordered[K, T, V]) Within(span Range[V]) Query[K, T] {
	if ix.index == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&rangeQuery[K, T, V]{ix.Index, span}}
}

type rangeQuery[K comparable, T any, V comparable] struct {
	Index[K, T, V]
	span Range[V]
}

func (q *rangeQuery[K, T, V]) matchingSlots(r Reader[K, T]) query.Set {
	v, b := q.Index.findOrBuildBuckets(r)
	return &lazyRangeSet[K, T, V]{q, v, b, -1}
}

// Watch watches all values of the index, because order must not run under a lock.
func (q *rangeQuery[K, T, V]) Watch(w *notify.List, sig *notify.Signal) (unwatch func()) {
	if q.index.Watch != w {
		return w.Every(sig)
	}
	return q.index.Watchers.AddAll(sig)
}

// lazyRangeSet has the slots under the values in a range.
type lazyRangeSet[K comparable, T any, V comparable] struct {
	*rangeQuery[K, T, V]
	version     *version[K, T]
	buckets     *index.Buckets[V]
	knownAtMost int // AtMost; -1: not computed yet
}

// sizeLimit is the number of buckets at which a range is assumed to be large.
const sizeLimit = 64

func (s *lazyRangeSet[K, T, V]) AtMost() int {
	if s.knownAtMost >= 0 {
		return s.knownAtMost
	}
	seen := 0
	s.knownAtMost = 0
	s.buckets.Walk(s.span.bounds, false, func(e *posting.Bucket[V]) bool {
		s.knownAtMost += e.Posting.Len()
		seen++
		return seen < sizeLimit
	})
	if seen == sizeLimit {
		s.knownAtMost = max(s.knownAtMost, s.version.Len())
	}
	return s.knownAtMost
}

// Has computes the object's values and looks those in the range up in the index.
func (s *lazyRangeSet[K, T, V]) Has(slot uint32) bool {
	return s.index.Has(s.buckets, slot, s.version.At(slot), func(value V) bool {
		return s.span.bounds.Has(s.index.Order, value)
	})
}

func (s *lazyRangeSet[K, T, V]) Each(yield func(uint32) bool) bool {
	var seen map[uint32]struct{} // nil if no object has several values
	if s.buckets.Multi() {
		seen = map[uint32]struct{}{}
	}
	goOn := true
	s.buckets.Walk(s.span.bounds, false, func(e *posting.Bucket[V]) bool {
		goOn = e.Posting.Each(func(slot uint32) bool {
			if seen != nil {
				if _, again := seen[slot]; again {
					return true
				}
				seen[slot] = struct{}{}
			}
			return yield(slot)
		})
		return goOn
	})
	return goOn
}

// Range is a range of values of an ordered index. The zero Range contains all values.
type Range[V any] struct{ bounds btree.Range[V] }

// Between returns the range of values v with from ≤ v < to.
func Between[V any](from, to V) Range[V] {
	return Range[V]{btree.Range[V]{From: from, To: to, HasFrom: true, HasTo: true}}
}

// AtLeast returns the range of values v with from ≤ v.
func AtLeast[V any](from V) Range[V] { return Range[V]{btree.Range[V]{From: from, HasFrom: true}} }

// Below returns the range of values v with v < to.
func Below[V any](to V) Range[V] { return Range[V]{btree.Range[V]{To: to, HasTo: true}} }
