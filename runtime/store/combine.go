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
		return Query[K, T]{allNode[K, T]{}}
	}
	if len(qs) == 1 {
		return qs[0]
	}
	return Query[K, T]{allOfNode[K, T](queryNodes(qs))}
}

// AnyOf returns a query for the objects that match at least one of qs; without qs, for none. It
// visits the objects of all of qs.
func AnyOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 1 {
		return qs[0]
	}
	return Query[K, T]{anyOfNode[K, T](queryNodes(qs))}
}

// In returns a query for the objects under any of values.
func (ix Index[K, T, V]) In(values ...V) Query[K, T] {
	switch {
	case ix.index == nil:
		return Query[K, T]{}
	case len(values) == 1:
		return ix.Equal(values[0])
	}
	queries, nodes := make([]valueQuery[K, T, V], len(values)), make(anyOfNode[K, T], len(values))
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
	return Query[K, T]{&exceptNode[K, T]{nodeOrNone(q), nodeOrNone(other)}}
}

func queryNodes[K comparable, T any](qs []Query[K, T]) []queryNode[K, T] {
	ns := make([]queryNode[K, T], len(qs))
	for i, q := range qs {
		ns[i] = nodeOrNone(q)
	}
	return ns
}

// nodeOrNone returns the node of q; for a zero Query, one that matches nothing.
func nodeOrNone[K comparable, T any](q Query[K, T]) queryNode[K, T] {
	if q.node == nil {
		return anyOfNode[K, T](nil)
	}
	return q.node
}

// allOfNode watches its first query only: an object that begins or ceases to match all queries
// matches the first one before or after the change.
type allOfNode[K comparable, T any] []queryNode[K, T]

func (q allOfNode[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return q[0].Watch(w, sig) }

func (q allOfNode[K, T]) matchingSlots(r Reader[K, T]) query.Set {
	sets := make(query.Intersection, len(q))
	for i, n := range q {
		sets[i] = n.matchingSlots(r)
	}
	slices.SortStableFunc(sets, func(a, b query.Set) int { return a.AtMost() - b.AtMost() })
	if sets[0].AtMost() == 0 {
		return query.None
	}
	return sets
}

type anyOfNode[K comparable, T any] []queryNode[K, T]

func (q anyOfNode[K, T]) Watch(w *notify.List, sig *notify.Signal) (unwatch func()) {
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

func (q anyOfNode[K, T]) matchingSlots(r Reader[K, T]) query.Set {
	sets := make(query.Union, len(q))
	for i, n := range q {
		sets[i] = n.matchingSlots(r)
	}
	return sets
}

type exceptNode[K comparable, T any] struct{ from, minus queryNode[K, T] }

func (q *exceptNode[K, T]) Watch(w *notify.List, sig *notify.Signal) func() {
	return q.from.Watch(w, sig)
}

func (q *exceptNode[K, T]) matchingSlots(r Reader[K, T]) query.Set {
	return &query.Difference{From: q.from.matchingSlots(r), Minus: q.minus.matchingSlots(r)}
}

// allNode is the query for all objects.
type allNode[K comparable, T any] struct{}

func (allNode[K, T]) matchingSlots(r Reader[K, T]) query.Set {
	return query.Live[K, T]{Slots: &r.frozenVersion.Vector, N: r.frozenVersion.Len()}
}

func (allNode[K, T]) Watch(w *notify.List, sig *notify.Signal) func() { return w.Every(sig) }
