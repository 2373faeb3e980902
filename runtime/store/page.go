// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// Cursor is a place between two objects of an ordered index: just after the
// object of a key under a value. It stays right whatever is written: objects
// that were there all the while come once, neither skipped nor repeated. A zero
// Cursor is the beginning; it can be kept, sent and asked of a later snapshot.
type Cursor[K comparable, V comparable] struct {
	Value V
	Key   K
	Set   bool // false at the beginning, and when there is no more
}

// Page returns up to limit objects of a span after a cursor, by value and, of
// one value, by key; and where the next page begins, if there may be one.
//
//	for c, more := (store.Cursor[…]{}), true; more; more = c.Set {
//		page, c = byAge.Page(r, store.Range[Age]{}, c, 100)
//	}
//
// It visits the objects of each value that has one on the page.
func (ix Ordered[K, T, V]) Page(
	r Reader[K, T], span Range[V], after Cursor[K, V], limit int,
) ([]T, Cursor[K, V]) {
	if after.Set && (!span.bounds.HasFrom || ix.x != nil && ix.x.order(after.Value, span.bounds.From) > 0) {
		span.bounds.From, span.bounds.HasFrom = after.Value, true
	}
	return ix.page(r, span, after, limit, (*btree.Tree[V]).Ascend)
}

// PageDown is Page, the highest value first; of one value, too, the lowest key
// comes first.
func (ix Ordered[K, T, V]) PageDown(
	r Reader[K, T], span Range[V], after Cursor[K, V], limit int,
) ([]T, Cursor[K, V]) {
	if after.Set && ix.x != nil {
		// The span ends with the cursor's value, which it still has.
		return ix.page(r, span, after, limit, func(
			t *btree.Tree[V], order func(a, b V) int, b btree.Range[V], yield func(*posting.Bucket[V]) bool,
		) {
			if e := t.Find(order, after.Value); e != nil && b.Has(order, after.Value) && !yield(e) {
				return
			}
			if !b.HasTo || order(after.Value, b.To) < 0 {
				b.To, b.HasTo = after.Value, true
			}
			t.Descend(order, b, yield)
		})
	}
	return ix.page(r, span, after, limit, (*btree.Tree[V]).Descend)
}

type keyed[K comparable, T any] struct {
	key K
	obj T
}

func (ix Ordered[K, T, V]) page(
	r Reader[K, T], span Range[V], after Cursor[K, V], limit int, walk walker[V],
) (objs []T, next Cursor[K, V]) {
	if ix.x == nil || r.s == nil || limit <= 0 {
		return nil, next
	}
	v := r.frozen()
	walk(ix.x.bucketsOf(r.s, v).Tree(), ix.x.order, span.bounds, func(e *posting.Bucket[V]) bool {
		after := after
		after.Set = after.Set && e.Value == after.Value
		for _, o := range ix.lowestKeys(r.s, v, e, after, limit-len(objs)) {
			objs = append(objs, o.obj)
			next = Cursor[K, V]{Value: e.Value, Key: o.key, Set: true}
		}
		return len(objs) < limit
	})
	if len(objs) < limit {
		next = Cursor[K, V]{}
	}
	return objs, next
}

// lowestKeys returns up to limit objects of a bucket with the lowest keys after
// a cursor. It keeps no more than two pages of them at a time.
func (ix Ordered[K, T, V]) lowestKeys(
	s *Store[K, T], v *version[K, T], e *posting.Bucket[V], after Cursor[K, V], limit int,
) []keyed[K, T] {
	var page []keyed[K, T]
	shorten := func() {
		slices.SortFunc(page, func(a, b keyed[K, T]) int { return s.order(a.key, b.key) })
		page = page[:min(len(page), limit)]
	}
	e.Posting.Each(func(slot uint32) bool {
		key := s.keyAt(v, slot)
		if after.Set && s.order(key, after.Key) <= 0 {
			return true
		}
		page = append(page, keyed[K, T]{key, v.slots.At(slot)})
		if len(page)-8 >= limit && len(page)-8-limit >= limit {
			shorten()
		}
		return true
	})
	shorten()
	return page
}
