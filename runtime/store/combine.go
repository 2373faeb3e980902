// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/query"
)

// AllOf returns a query for the objects that match every one of qs; without qs, for all objects.
// It visits the objects of the query with the fewest, and looks each up in the others.
func AllOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 0 {
		return Query[K, T]{all[K, T]{}}
	}
	if len(qs) == 1 {
		return qs[0]
	}
	return Query[K, T]{allOf[K, T](nodes(qs))}
}

// AnyOf returns a query for the objects that match at least one of qs; without qs, for none. It
// visits the objects of all of qs.
func AnyOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 1 {
		return qs[0]
	}
	return Query[K, T]{anyOf[K, T](nodes(qs))}
}

// In returns a query for the objects under any of values.
func (ix Index[K, T, V]) In(values ...V) Query[K, T] {
	switch {
	case ix.x == nil:
		return Query[K, T]{}
	case len(values) == 1:
		return ix.Equal(values[0])
	}
	queries, nodes := make([]valueQuery[K, T, V], len(values)), make(anyOf[K, T], len(values))
	for i, v := range values {
		queries[i] = valueQuery[K, T, V]{ix, v}
		nodes[i] = &queries[i]
	}
	return Query[K, T]{nodes}
}

// SharingValues returns a query for the objects that share at least one value with obj. obj need
// not be in the store.
func (ix Index[K, T, V]) SharingValues(obj T) Query[K, T] { return ix.In(ix.valuesOf(obj)...) }

// Except returns a query for the objects that match q and do not match other. It visits the
// objects of q, and looks each up in other.
func (q Query[K, T]) Except(other Query[K, T]) Query[K, T] {
	return Query[K, T]{&except[K, T]{orNothing(q), orNothing(other)}}
}

func nodes[K comparable, T any](qs []Query[K, T]) []queryNode[K, T] {
	ns := make([]queryNode[K, T], len(qs))
	for i, q := range qs {
		ns[i] = orNothing(q)
	}
	return ns
}

// orNothing returns the node of q; for a zero Query, one that matches nothing.
func orNothing[K comparable, T any](q Query[K, T]) queryNode[K, T] {
	if q.node == nil {
		return anyOf[K, T](nil)
	}
	return q.node
}

// allOf watches its first query only: an object that begins or ceases to match all queries
// matches the first one before or after the change.
type allOf[K comparable, T any] []queryNode[K, T]

func (q allOf[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return q[0].Watch(w, sig) }

func (q allOf[K, T]) slots(r Reader[K, T]) query.Set {
	sets := make(query.Intersection, len(q))
	for i, n := range q {
		sets[i] = n.slots(r)
	}
	slices.SortStableFunc(sets, func(a, b query.Set) int { return a.AtMost() - b.AtMost() })
	if sets[0].AtMost() == 0 {
		return query.None
	}
	return sets
}

type anyOf[K comparable, T any] []queryNode[K, T]

func (q anyOf[K, T]) Watch(w *notify.List, sig *notify.Signal) (unwatch func()) {
	unwatches := make([]func(), len(q))
	for i, n := range q {
		unwatches[i] = n.Watch(w, sig)
	}
	return func() {
		for _, unwatch := range unwatches {
			unwatch()
		}
	}
}

func (q anyOf[K, T]) slots(r Reader[K, T]) query.Set {
	sets := make(query.Union, len(q))
	for i, n := range q {
		sets[i] = n.slots(r)
	}
	return sets
}

type except[K comparable, T any] struct{ from, minus queryNode[K, T] }

func (q *except[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return q.from.Watch(w, sig) }

func (q *except[K, T]) slots(r Reader[K, T]) query.Set {
	return &query.Difference{From: q.from.slots(r), Minus: q.minus.slots(r)}
}

// all is the query for all objects.
type all[K comparable, T any] struct{}

func (all[K, T]) slots(r Reader[K, T]) query.Set {
	return query.Live[K, T]{Slots: &r.at.Vector, N: r.at.Len()}
}

func (all[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return w.Every(sig) }
