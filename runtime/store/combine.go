// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/slotset"
)

// AllOf asks for the objects that answer every one of qs; of none, for every
// object. It visits the answer of the query that has the fewest, and looks each
// of those up in the others.
func AllOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 0 {
		return Query[K, T]{all[K, T]{}}
	}
	if len(qs) == 1 {
		return qs[0]
	}
	if len(qs) == 2 {
		return Query[K, T]{&allOf2[K, T]{orNothing(qs[0]), orNothing(qs[1])}}
	}
	return Query[K, T]{allOf[K, T](nodes(qs))}
}

// AnyOf asks for the objects that answer at least one of qs; of none, for none.
// It visits the answers of all of them.
func AnyOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 1 {
		return qs[0]
	}
	return Query[K, T]{anyOf[K, T](nodes(qs))}
}

// Except asks for the objects that answer q and not other. It visits the
// answer of q, and looks each up in that of other.
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

// orNothing has a zero Query be one that finds nothing.
func orNothing[K comparable, T any](q Query[K, T]) queryNode[K, T] {
	if q.node == nil {
		return anyOf[K, T](nil)
	}
	return q.node
}

// What answers all of several queries was under the first before it changed or
// is after; so whoever watches needs to watch the first one only.
type allOf[K comparable, T any] []queryNode[K, T]

func (q allOf[K, T]) Watch(w *notify.List, sig *notify.Signal) (all bool) { return q[0].Watch(w, sig) }
func (q allOf[K, T]) Unwatch(w *notify.List, sig *notify.Signal)          { q[0].Unwatch(w, sig) }

func (q allOf[K, T]) in(s *Store[K, T], v *version[K, T]) slotset.Set {
	sets := make(slotset.Intersection, len(q))
	for i, n := range q {
		sets[i] = n.in(s, v)
	}
	slices.SortStableFunc(sets, func(a, b slotset.Set) int { return a.AtMost() - b.AtMost() })
	if sets[0].AtMost() == 0 {
		return slotset.None
	}
	return sets
}

// allOf2 is allOf of two queries, the most usual number, in one piece of memory.
type allOf2[K comparable, T any] struct{ a, b queryNode[K, T] }

func (q *allOf2[K, T]) Watch(w *notify.List, sig *notify.Signal) (all bool) { return q.a.Watch(w, sig) }
func (q *allOf2[K, T]) Unwatch(w *notify.List, sig *notify.Signal)          { q.a.Unwatch(w, sig) }

func (q *allOf2[K, T]) in(s *Store[K, T], v *version[K, T]) slotset.Set {
	a, b := q.a.in(s, v), q.b.in(s, v)
	if a.AtMost() > b.AtMost() {
		a, b = b, a
	}
	if a.AtMost() == 0 {
		return slotset.None
	}
	return &slotset.Both{A: a, B: b}
}

type anyOf[K comparable, T any] []queryNode[K, T]

func (q anyOf[K, T]) Watch(w *notify.List, sig *notify.Signal) (all bool) {
	for _, n := range q {
		all = n.Watch(w, sig) || all
	}
	return all
}

func (q anyOf[K, T]) Unwatch(w *notify.List, sig *notify.Signal) {
	for _, n := range q {
		n.Unwatch(w, sig)
	}
}

func (q anyOf[K, T]) in(s *Store[K, T], v *version[K, T]) slotset.Set {
	sets := make(slotset.Union, len(q))
	for i, n := range q {
		sets[i] = n.in(s, v)
	}
	return sets
}

type except[K comparable, T any] struct{ from, what queryNode[K, T] }

func (q *except[K, T]) Watch(w *notify.List, sig *notify.Signal) (all bool) {
	return q.from.Watch(w, sig)
}
func (q *except[K, T]) Unwatch(w *notify.List, sig *notify.Signal) { q.from.Unwatch(w, sig) }

func (q *except[K, T]) in(s *Store[K, T], v *version[K, T]) slotset.Set {
	return &slotset.Difference{From: q.from.in(s, v), What: q.what.in(s, v)}
}

// everything is the query for all objects.
type all[K comparable, T any] struct{}

func (all[K, T]) in(_ *Store[K, T], v *version[K, T]) slotset.Set {
	return slotset.Live[K, T]{Slots: &v.slots, N: v.keys.Len()}
}

func (all[K, T]) count(r Reader[K, T]) int { return r.Len() }

func (all[K, T]) Watch(*notify.List, *notify.Signal) (all bool) { return true }
func (all[K, T]) Unwatch(*notify.List, *notify.Signal)          {}
