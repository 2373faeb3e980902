// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "slices"

// AllOf asks for the objects that answer every one of qs; of none, for every
// object. It visits the answer of the query that has the fewest, and looks each
// of those up in the others.
func AllOf[K comparable, T any](qs ...Query[K, T]) Query[K, T] {
	if len(qs) == 0 {
		return Query[K, T]{everything[K, T]{}}
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

func (q allOf[K, T]) watch(w *watchList, sig *signal) (all bool) { return q[0].watch(w, sig) }
func (q allOf[K, T]) unwatch(w *watchList, sig *signal)          { q[0].unwatch(w, sig) }

func (q allOf[K, T]) in(s *Store[K, T], v *version[K, T]) set {
	sets := make(intersection, len(q))
	for i, n := range q {
		sets[i] = n.in(s, v)
	}
	slices.SortStableFunc(sets, func(a, b set) int { return a.atMost() - b.atMost() })
	if sets[0].atMost() == 0 {
		return noSlots
	}
	return sets
}

// allOf2 is allOf of two queries, the most usual number, in one piece of memory.
type allOf2[K comparable, T any] struct{ a, b queryNode[K, T] }

func (q *allOf2[K, T]) watch(w *watchList, sig *signal) (all bool) { return q.a.watch(w, sig) }
func (q *allOf2[K, T]) unwatch(w *watchList, sig *signal)          { q.a.unwatch(w, sig) }

func (q *allOf2[K, T]) in(s *Store[K, T], v *version[K, T]) set {
	a, b := q.a.in(s, v), q.b.in(s, v)
	if a.atMost() > b.atMost() {
		a, b = b, a
	}
	if a.atMost() == 0 {
		return noSlots
	}
	return &both{a, b}
}

// both is the intersection of two sets, of which a is the smaller.
type both struct{ a, b set }

func (s *both) atMost() int          { return s.a.atMost() }
func (s *both) has(slot uint32) bool { return s.a.has(slot) && s.b.has(slot) }
func (s *both) each(yield func(uint32) bool) bool {
	return s.a.each(func(slot uint32) bool { return !s.b.has(slot) || yield(slot) })
}

// intersection has the smallest set first.
type intersection []set

func (s intersection) atMost() int { return s[0].atMost() }

func (s intersection) has(slot uint32) bool {
	for _, one := range s {
		if !one.has(slot) {
			return false
		}
	}
	return true
}

func (s intersection) each(yield func(uint32) bool) bool {
	rest := s[1:]
	return s[0].each(func(slot uint32) bool { return !rest.has(slot) || yield(slot) })
}

type anyOf[K comparable, T any] []queryNode[K, T]

func (q anyOf[K, T]) watch(w *watchList, sig *signal) (all bool) {
	for _, n := range q {
		all = n.watch(w, sig) || all
	}
	return all
}

func (q anyOf[K, T]) unwatch(w *watchList, sig *signal) {
	for _, n := range q {
		n.unwatch(w, sig)
	}
}

func (q anyOf[K, T]) in(s *Store[K, T], v *version[K, T]) set {
	sets := make(union, len(q))
	for i, n := range q {
		sets[i] = n.in(s, v)
	}
	return sets
}

type union []set

func (s union) atMost() (n int) {
	for _, one := range s {
		n += one.atMost()
	}
	return n
}

func (s union) has(slot uint32) bool {
	return slices.ContainsFunc(s, func(one set) bool { return one.has(slot) })
}

// manySets is of how many sets a slot is looked up in a table of those that were visited,
// rather than in each set before.
const manySets = 8

func (s union) each(yield func(uint32) bool) bool {
	if len(s) > manySets {
		return s.eachOnce(yield)
	}
	for i, one := range s {
		before := s[:i]
		if !one.each(func(slot uint32) bool { return before.has(slot) || yield(slot) }) {
			return false
		}
	}
	return true
}

func (s union) eachOnce(yield func(uint32) bool) bool {
	seen := make(map[uint32]struct{}, min(s.atMost(), gathered))
	once := func(slot uint32) bool {
		if _, again := seen[slot]; again {
			return true
		}
		seen[slot] = struct{}{}
		return yield(slot)
	}
	for _, one := range s {
		if !one.each(once) {
			return false
		}
	}
	return true
}

type except[K comparable, T any] struct{ from, what queryNode[K, T] }

func (q *except[K, T]) watch(w *watchList, sig *signal) (all bool) { return q.from.watch(w, sig) }
func (q *except[K, T]) unwatch(w *watchList, sig *signal)          { q.from.unwatch(w, sig) }

func (q *except[K, T]) in(s *Store[K, T], v *version[K, T]) set {
	return &difference{q.from.in(s, v), q.what.in(s, v)}
}

type difference struct{ from, what set }

func (s *difference) atMost() int          { return s.from.atMost() }
func (s *difference) has(slot uint32) bool { return s.from.has(slot) && !s.what.has(slot) }
func (s *difference) each(yield func(uint32) bool) bool {
	return s.from.each(func(slot uint32) bool { return s.what.has(slot) || yield(slot) })
}
