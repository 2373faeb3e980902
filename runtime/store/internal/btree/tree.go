// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package btree has a persistent B+ tree of buckets in the order of their values.
package btree

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

const (
	nodeMax = 48 // most values or children of a node
	nodeMin = nodeMax / 4
)

// Tree is a persistent B+ tree (Bayer and McCreight, 1972) of buckets in the order of their
// values. The owner that made a node may change it in place; other owners copy it. So a snapshot
// costs nothing, and the first write after it copies one path. The zero value is empty.
type Tree[V comparable] struct {
	root *node[V]
	n    int
}

// node is a leaf if it has no kids. Otherwise least[i] is the lowest value that kids[i] may have.
// least[0] is the same as in the parent; in the first node of each level it is not set.
type node[V comparable] struct {
	owner uint64
	items []*posting.Bucket[V]
	least []V
	kids  []*node[V]
}

func (n *node[V]) len() int { return max(len(n.items), len(n.kids)) }

// child returns the index of the kid that may have value.
func (n *node[V]) child(order func(a, b V) int, value V) int {
	lo, hi := 1, len(n.kids)
	for lo < hi {
		if mid := (lo + hi) / 2; order(n.least[mid], value) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// place returns the index of value in a leaf, or the index to insert it.
func (n *node[V]) place(order func(a, b V) int, value V) (int, bool) {
	return slices.BinarySearchFunc(n.items, value, func(e *posting.Bucket[V], v V) int {
		return order(e.Value, v)
	})
}

// Find returns the bucket for whose value the order returns 0, or nil.
func (t *Tree[V]) Find(order func(a, b V) int, value V) *posting.Bucket[V] {
	n := t.root
	if n == nil {
		return nil
	}
	for n.kids != nil {
		n = n.kids[n.child(order, value)]
	}
	if i, ok := n.place(order, value); ok {
		return n.items[i]
	}
	return nil
}

// indexOf returns the index of e, which is in a leaf.
func (n *node[V]) indexOf(order func(a, b V) int, e *posting.Bucket[V]) int {
	i, _ := n.place(order, e.Value)
	if i == len(n.items) || n.items[i] != e {
		panic("indexer-gen: the order of an index contradicts itself") //nolint:forbidigo // the caller's bug
	}
	return i
}

// Ref returns a pointer to replace e, which is in the tree.
func (t *Tree[V]) Ref(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) **posting.Bucket[V] {
	t.root = t.root.own(owner)
	n := t.root
	for n.kids != nil {
		n = n.ownKid(owner, n.child(order, e.Value))
	}
	return &n.items[n.indexOf(order, e)]
}

// Insert adds a bucket whose value is absent.
func (t *Tree[V]) Insert(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	if t.root == nil {
		t.root = &node[V]{owner: owner}
	}
	t.root = t.root.own(owner)
	if right, least := t.root.insert(owner, order, e); right != nil {
		var none V
		t.root = &node[V]{owner: owner, least: []V{none, least}, kids: []*node[V]{t.root, right}}
	}
	t.n++
}

// insert adds e under n, which owner may change. If n becomes too large, it returns a new right
// neighbor of n and its lowest value.
func (n *node[V]) insert(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) (*node[V], V) {
	var none V
	if n.kids == nil {
		i, _ := n.place(order, e.Value)
		n.items = slices.Insert(n.items, i, e)
	} else {
		i := n.child(order, e.Value)
		right, least := n.ownKid(owner, i).insert(owner, order, e)
		if right == nil {
			return nil, none
		}
		n.kids = slices.Insert(n.kids, i+1, right)
		n.least = slices.Insert(n.least, i+1, least)
	}
	if n.len() <= nodeMax {
		return nil, none
	}
	return n.split(owner)
}

func (n *node[V]) split(owner uint64) (right *node[V], least V) {
	at := n.len() / 2
	right = &node[V]{owner: owner}
	if n.kids == nil {
		right.items = slices.Clone(n.items[at:])
		n.items = cut(n.items, at)
		return right, right.items[0].Value
	}
	right.kids, right.least = slices.Clone(n.kids[at:]), slices.Clone(n.least[at:])
	n.kids, n.least = cut(n.kids, at), cut(n.least, at)
	return right, right.least[0]
}

// cut shortens s to n elements and clears the others.
func cut[E any](s []E, n int) []E {
	clear(s[n:])
	return s[:n]
}

// Remove removes e, which is in the tree.
func (t *Tree[V]) Remove(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	t.n--
	t.root = t.root.own(owner)
	t.root.remove(owner, order, e)
	for len(t.root.kids) == 1 {
		t.root = t.root.kids[0]
	}
	if t.n == 0 {
		t.root = nil
	}
}

func (n *node[V]) remove(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	if n.kids == nil {
		i := n.indexOf(order, e)
		n.items = slices.Delete(n.items, i, i+1)
		return
	}
	i := n.child(order, e.Value)
	kid := n.ownKid(owner, i)
	kid.remove(owner, order, e)
	if kid.len() < nodeMin {
		n.merge(owner, max(i, 1))
	}
}

// merge merges kid i into its left neighbor, and splits the result if it is too large.
func (n *node[V]) merge(owner uint64, i int) {
	left, right := n.ownKid(owner, i-1), n.kids[i]
	left.items = append(left.items, right.items...)
	left.kids, left.least = append(left.kids, right.kids...), append(left.least, right.least...)
	n.kids, n.least = slices.Delete(n.kids, i, i+1), slices.Delete(n.least, i, i+1)
	if left.len() > nodeMax {
		right, least := left.split(owner)
		n.kids, n.least = slices.Insert(n.kids, i, right), slices.Insert(n.least, i, least)
	}
}

func (n *node[V]) own(owner uint64) *node[V] {
	if n.owner == owner {
		return n
	}
	return &node[V]{
		owner: owner,
		items: slices.Clone(n.items), least: slices.Clone(n.least), kids: slices.Clone(n.kids),
	}
}

func (n *node[V]) ownKid(owner uint64, i int) *node[V] {
	n.kids[i] = n.kids[i].own(owner)
	return n.kids[i]
}

// Len returns the number of values.
func (t *Tree[V]) Len() int { return t.n }
