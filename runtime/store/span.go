// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Span is a stretch of the values of an ordered index. A zero Span is all of
// them.
type Span[V any] struct {
	from, to       V
	hasFrom, hasTo bool
}

// Between is the values v with from ≤ v < to.
func Between[V any](from, to V) Span[V] {
	return Span[V]{from: from, to: to, hasFrom: true, hasTo: true}
}

// AtLeast is the values v with from ≤ v.
func AtLeast[V any](from V) Span[V] { return Span[V]{from: from, hasFrom: true} }

// Below is the values v with v < to.
func Below[V any](to V) Span[V] { return Span[V]{to: to, hasTo: true} }

func (s Span[V]) before(order func(a, b V) int, v V) bool {
	return s.hasFrom && order(v, s.from) < 0
}

func (s Span[V]) after(order func(a, b V) int, v V) bool {
	return s.hasTo && order(v, s.to) >= 0
}

func (s Span[V]) has(order func(a, b V) int, v V) bool {
	return !s.before(order, v) && !s.after(order, v)
}

// ascend calls yield with the buckets of a span, the lowest value first, until
// it returns false.
func (t *tree[V]) ascend(order func(a, b V) int, s Span[V], yield func(*bucket[V]) bool) {
	if t.root != nil {
		t.root.ascend(order, s, yield)
	}
}

func (n *node[V]) ascend(order func(a, b V) int, s Span[V], yield func(*bucket[V]) bool) bool {
	i := 0
	if n.kids != nil {
		if s.hasFrom {
			i = n.child(order, s.from)
		}
		for ; i < len(n.kids); i++ {
			if i > 0 && s.after(order, n.least[i]) {
				return false
			}
			if !n.kids[i].ascend(order, s, yield) {
				return false
			}
		}
		return true
	}
	if s.hasFrom {
		i, _ = n.place(order, s.from)
	}
	for ; i < len(n.items); i++ {
		if s.after(order, n.items[i].value) || !yield(n.items[i]) {
			return false
		}
	}
	return true
}

// descend is ascend, the highest value first.
func (t *tree[V]) descend(order func(a, b V) int, s Span[V], yield func(*bucket[V]) bool) {
	if t.root != nil {
		t.root.descend(order, s, yield)
	}
}

func (n *node[V]) descend(order func(a, b V) int, s Span[V], yield func(*bucket[V]) bool) bool {
	i := n.len() - 1
	if n.kids != nil {
		if s.hasTo {
			i = n.child(order, s.to)
		}
		for ; i >= 0; i-- {
			if !n.kids[i].descend(order, s, yield) {
				return false
			}
			if i > 0 && s.before(order, n.least[i]) {
				return false
			}
		}
		return true
	}
	if s.hasTo {
		i, _ = n.place(order, s.to)
		i--
	}
	for ; i >= 0; i-- {
		if s.before(order, n.items[i].value) || !yield(n.items[i]) {
			return false
		}
	}
	return true
}
