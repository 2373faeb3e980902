// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package btree

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"

// Range is a range of values: From ≤ v < To. HasFrom and HasTo say which bounds are set.
type Range[V any] struct {
	From, To       V
	HasFrom, HasTo bool
}

func (r Range[V]) before(order func(a, b V) int, v V) bool {
	return r.HasFrom && order(v, r.From) < 0
}

func (r Range[V]) after(order func(a, b V) int, v V) bool {
	return r.HasTo && order(v, r.To) >= 0
}

// Has reports whether v is in the range.
func (r Range[V]) Has(order func(a, b V) int, v V) bool {
	return !r.before(order, v) && !r.after(order, v)
}

// Ascend calls yield with the buckets in r, the lowest value first, until yield returns false.
func (t *Tree[V]) Ascend(order func(a, b V) int, r Range[V], yield func(*posting.Bucket[V]) bool) {
	if t.root != nil {
		t.root.ascend(order, r, yield)
	}
}

func (n *node[V]) ascend(order func(a, b V) int, r Range[V], yield func(*posting.Bucket[V]) bool) bool {
	i := 0
	if n.kids != nil {
		if r.HasFrom {
			i = n.child(order, r.From)
		}
		for ; i < len(n.kids); i++ {
			if !n.kids[i].ascend(order, r, yield) {
				return false
			}
		}
		return true
	}
	if r.HasFrom {
		i, _ = n.place(order, r.From)
	}
	for ; i < len(n.items); i++ {
		if r.after(order, n.items[i].Value) || !yield(n.items[i]) {
			return false
		}
	}
	return true
}

// Descend is like Ascend, with the highest value first.
func (t *Tree[V]) Descend(order func(a, b V) int, r Range[V], yield func(*posting.Bucket[V]) bool) {
	if t.root != nil {
		t.root.descend(order, r, yield)
	}
}

func (n *node[V]) descend(order func(a, b V) int, r Range[V], yield func(*posting.Bucket[V]) bool) bool {
	i := n.len() - 1
	if n.kids != nil {
		if r.HasTo {
			i = n.child(order, r.To)
		}
		for ; i >= 0; i-- {
			if !n.kids[i].descend(order, r, yield) {
				return false
			}
		}
		return true
	}
	if r.HasTo {
		i, _ = n.place(order, r.To)
		i--
	}
	for ; i >= 0; i-- {
		if r.before(order, n.items[i].Value) || !yield(n.items[i]) {
			return false
		}
	}
	return true
}
