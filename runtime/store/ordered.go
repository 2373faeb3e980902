// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/buckets"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/extract"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/iterate"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slotset"
)

// Ordered is the handle of an index whose values have an order: besides the
// objects of one value it finds those of a stretch of values, in order, and
// from either end.
type Ordered[K comparable, T any, V comparable] struct{ Index[K, T, V] }

// AddOrdered is AddIndex for values with an order, such as cmp.Compare. It must
// be total, and 0 for equal values only; like fn it must be pure, and it runs
// where fn does, besides in reads. If it calls different values equal, that is
// reported, and the object is not under the value that was to be added. It must not panic.
// Finding a value, adding and removing one take time that grows with the
// logarithm of how many values there are.
func AddOrdered[K comparable, T any, V comparable](
	s *Store[K, T], name string, fn func(dst []V, obj T) []V, order func(a, b V) int,
) Ordered[K, T, V] {
	x := &index[K, T, V]{store: s, name: name, fn: fn, order: order, foreign: true}
	return Ordered[K, T, V]{Index[K, T, V]{addIndex(s, x)}}
}

// Ascend yields the objects under the values of a span, the lowest value first;
// objects of one value come in an order that means nothing. An object with
// several of the values comes once for each.
func (ix Ordered[K, T, V]) Ascend(r Reader[K, T], span Range[V]) iter.Seq[T] {
	return ix.walk(r, span, (*btree.Tree[V]).Ascend)
}

// Descend is Ascend, the highest value first.
func (ix Ordered[K, T, V]) Descend(r Reader[K, T], span Range[V]) iter.Seq[T] {
	return ix.walk(r, span, (*btree.Tree[V]).Descend)
}

type walker[V comparable] func(
	t *btree.Tree[V], order func(a, b V) int, r btree.Range[V], yield func(*posting.Bucket[V]) bool,
)

func (ix Ordered[K, T, V]) walk(r Reader[K, T], span Range[V], walk walker[V]) iter.Seq[T] {
	return func(yield func(T) bool) {
		if ix.x == nil || r.s == nil {
			return
		}
		v := r.frozen()
		walk(ix.x.bucketsOf(r.s, v).Tree(), ix.x.order, span.bounds, func(e *posting.Bucket[V]) bool {
			var c iterate.Run[K, T]
			for objs := c.Of(&v.slots, &e.Posting); len(objs) > 0; objs = c.Next() {
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

// Min returns the object with the lowest value, of several that with the lowest
// key.
func (ix Ordered[K, T, V]) Min(r Reader[K, T]) (T, bool) { return ix.first(r, (*btree.Tree[V]).Ascend) }

// Max returns the object with the highest value, of several that with the
// lowest key.
func (ix Ordered[K, T, V]) Max(r Reader[K, T]) (T, bool) {
	return ix.first(r, (*btree.Tree[V]).Descend)
}

func (ix Ordered[K, T, V]) first(r Reader[K, T], walk walker[V]) (obj T, ok bool) {
	if ix.x == nil || r.s == nil {
		return obj, false
	}
	v := r.frozen()
	walk(ix.x.bucketsOf(r.s, v).Tree(), ix.x.order, btree.Range[V]{}, func(e *posting.Bucket[V]) bool {
		obj, ok = r.s.lowest(v, &e.Posting), true
		return false
	})
	return obj, ok
}

// Within asks for the objects that have a value in span.
func (ix Ordered[K, T, V]) Within(span Range[V]) Query[K, T] {
	if ix.x == nil {
		return Query[K, T]{}
	}
	return Query[K, T]{&rangeQuery[K, T, V]{ix.x, span}}
}

type rangeQuery[K comparable, T any, V comparable] struct {
	x      *index[K, T, V]
	within Range[V]
}

func (q *rangeQuery[K, T, V]) in(s *Store[K, T], v *version[K, T]) slotset.Set {
	return &rangeSet[K, T, V]{q, s, v, q.x.bucketsOf(s, v), -1}
}

// Any value of the index may fire: the order is not asked under a lock.
func (q *rangeQuery[K, T, V]) Watch(w *notify.List, sig *notify.Signal) (all bool) {
	if !q.x.isOf(w) {
		return true
	}
	q.x.watchers.AddAll(sig)
	return false
}

func (q *rangeQuery[K, T, V]) Unwatch(w *notify.List, sig *notify.Signal) {
	if q.x.isOf(w) {
		q.x.watchers.DropAny(sig)
	}
}

// spanSet has the slots under the values of a span.
type rangeSet[K comparable, T any, V comparable] struct {
	*rangeQuery[K, T, V]
	s *Store[K, T]
	v *version[K, T]
	b *buckets.Buckets[V]
	n int // atMost, once it is known
}

// sizeLimit is how many buckets are counted before a span is taken for large.
const sizeLimit = 64

func (s *rangeSet[K, T, V]) AtMost() int {
	if s.n >= 0 {
		return s.n
	}
	seen := 0
	s.n = 0
	s.b.Tree().Ascend(s.x.order, s.within.bounds, func(e *posting.Bucket[V]) bool {
		s.n += e.Posting.Len()
		seen++
		return seen < sizeLimit
	})
	if seen == sizeLimit {
		s.n = max(s.n, s.v.keys.Len())
	}
	return s.n
}

// has asks the index function about the object, and the index whether that is so.
func (s *rangeSet[K, T, V]) Has(slot uint32) bool {
	var q extract.Result[V]
	if s.x.ask(&q, s.v.slots.At(slot)) != nil {
		return false
	}
	for i, value := range q.Values {
		if s.within.bounds.Has(s.x.order, value) {
			if e := s.b.Find(q.Hashes[i], value); e != nil && e.Posting.Has(slot) {
				return true
			}
		}
	}
	return false
}

func (s *rangeSet[K, T, V]) Each(yield func(uint32) bool) bool {
	var seen map[uint32]struct{} // only where an object may be under several values
	if s.b.Multi {
		seen = map[uint32]struct{}{}
	}
	goOn := true
	s.b.Tree().Ascend(s.x.order, s.within.bounds, func(e *posting.Bucket[V]) bool {
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

// Range is a range of the values of an ordered index. The zero Range has all of them.
type Range[V any] struct{ bounds btree.Range[V] }

// Between is the values v with from ≤ v < to.
func Between[V any](from, to V) Range[V] {
	return Range[V]{btree.Range[V]{From: from, To: to, HasFrom: true, HasTo: true}}
}

// AtLeast is the values v with from ≤ v.
func AtLeast[V any](from V) Range[V] { return Range[V]{btree.Range[V]{From: from, HasFrom: true}} }

// Below is the values v with v < to.
func Below[V any](to V) Range[V] { return Range[V]{btree.Range[V]{To: to, HasTo: true}} }
