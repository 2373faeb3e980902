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
	root  *node[V]
	count int
}

// node is a leaf if it has no children. Otherwise childLowerBounds[i] is the lowest value that children[i] may have.
// childLowerBounds[0] is the same as in the parent; in the first node of each level it is not set.
type node[V comparable] struct {
	owner            uint64
	buckets          []*posting.Bucket[V]
	childLowerBounds []V
	children         []*node[V]
}

func (n *node[V]) bucketOrChildCount() int { return max(len(n.buckets), len(n.children)) }

// childIndex returns the index of the kid that may have value.
func (n *node[V]) childIndex(order func(a, b V) int, value V) int {
	lo, hi := 1, len(n.children)
	for lo < hi {
		if mid := (lo + hi) / 2; order(n.childLowerBounds[mid], value) <= 0 {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo - 1
}

// searchLeaf returns the index of value in a leaf, or the index to insert it.
func (n *node[V]) searchLeaf(order func(a, b V) int, value V) (int, bool) {
	return slices.BinarySearchFunc(n.buckets, value, func(e *posting.Bucket[V], v V) int {
		return order(e.Value, v)
	})
}

// Find returns the bucket for whose value the order returns 0, or nil.
func (t *Tree[V]) Find(order func(a, b V) int, value V) *posting.Bucket[V] {
	n := t.root
	if n == nil {
		return nil
	}
	for n.children != nil {
		n = n.children[n.childIndex(order, value)]
	}
	if i, ok := n.searchLeaf(order, value); ok {
		return n.buckets[i]
	}
	return nil
}

// bucketIndex returns the index of e, which is in a leaf.
func (n *node[V]) bucketIndex(order func(a, b V) int, e *posting.Bucket[V]) int {
	i, _ := n.searchLeaf(order, e.Value)
	if i == len(n.buckets) || n.buckets[i] != e {
		panic("indexer-gen: the order of an index contradicts itself") //nolint:forbidigo // the caller's bug
	}
	return i
}

// Ref returns a pointer to replace e, which is in the tree.
func (t *Tree[V]) Ref(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) **posting.Bucket[V] {
	t.root = t.root.mutable(owner)
	n := t.root
	for n.children != nil {
		n = n.mutableChild(owner, n.childIndex(order, e.Value))
	}
	return &n.buckets[n.bucketIndex(order, e)]
}

// Insert adds a bucket whose value is absent.
func (t *Tree[V]) Insert(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	if t.root == nil {
		t.root = &node[V]{owner: owner}
	}
	t.root = t.root.mutable(owner)
	if right, least := t.root.insertBucket(owner, order, e); right != nil {
		var none V
		t.root = &node[V]{owner: owner, childLowerBounds: []V{none, least}, children: []*node[V]{t.root, right}}
	}
	t.count++
}

// insertBucket adds e under n, which owner may change. If n becomes too large, it returns a new right
// neighbor of n and its lowest value.
func (n *node[V]) insertBucket(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) (*node[V], V) {
	var none V
	if n.children == nil {
		i, _ := n.searchLeaf(order, e.Value)
		n.buckets = slices.Insert(n.buckets, i, e)
	} else {
		i := n.childIndex(order, e.Value)
		right, least := n.mutableChild(owner, i).insertBucket(owner, order, e)
		if right == nil {
			return nil, none
		}
		n.children = slices.Insert(n.children, i+1, right)
		n.childLowerBounds = slices.Insert(n.childLowerBounds, i+1, least)
	}
	if n.bucketOrChildCount() <= nodeMax {
		return nil, none
	}
	return n.splitInHalf(owner)
}

func (n *node[V]) splitInHalf(owner uint64) (right *node[V], least V) {
	at := n.bucketOrChildCount() / 2
	right = &node[V]{owner: owner}
	if n.children == nil {
		right.buckets = slices.Clone(n.buckets[at:])
		n.buckets = truncateAndClear(n.buckets, at)
		return right, right.buckets[0].Value
	}
	right.children, right.childLowerBounds = slices.Clone(n.children[at:]), slices.Clone(n.childLowerBounds[at:])
	n.children, n.childLowerBounds = truncateAndClear(n.children, at), truncateAndClear(n.childLowerBounds, at)
	return right, right.childLowerBounds[0]
}

// truncateAndClear shortens s to n elements and clears the others.
func truncateAndClear[E any](s []E, n int) []E {
	clear(s[n:])
	return s[:n]
}

// Remove removes e, which is in the tree.
func (t *Tree[V]) Remove(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	t.count--
	t.root = t.root.mutable(owner)
	t.root.removeBucket(owner, order, e)
	for len(t.root.children) == 1 {
		t.root = t.root.children[0]
	}
	if t.count == 0 {
		t.root = nil
	}
}

func (n *node[V]) removeBucket(owner uint64, order func(a, b V) int, e *posting.Bucket[V]) {
	if n.children == nil {
		i := n.bucketIndex(order, e)
		n.buckets = slices.Delete(n.buckets, i, i+1)
		return
	}
	i := n.childIndex(order, e.Value)
	kid := n.mutableChild(owner, i)
	kid.removeBucket(owner, order, e)
	if kid.bucketOrChildCount() < nodeMin {
		n.rebalanceWithLeft(owner, max(i, 1))
	}
}

// rebalanceWithLeft merges kid i into its left neighbor, and splits the result if it is too large.
func (n *node[V]) rebalanceWithLeft(owner uint64, i int) {
	left, right := n.mutableChild(owner, i-1), n.children[i]
	left.buckets = append(left.buckets, right.buckets...)
	left.children, left.childLowerBounds = append(left.children, right.children...), append(left.childLowerBounds, right.childLowerBounds...)
	n.children, n.childLowerBounds = slices.Delete(n.children, i, i+1), slices.Delete(n.childLowerBounds, i, i+1)
	if left.bucketOrChildCount() > nodeMax {
		right, least := left.splitInHalf(owner)
		n.children, n.childLowerBounds = slices.Insert(n.children, i, right), slices.Insert(n.childLowerBounds, i, least)
	}
}

func (n *node[V]) mutable(owner uint64) *node[V] {
	if n.owner == owner {
		return n
	}
	return &node[V]{
		owner:   owner,
		buckets: slices.Clone(n.buckets), childLowerBounds: slices.Clone(n.childLowerBounds), children: slices.Clone(n.children),
	}
}

func (n *node[V]) mutableChild(owner uint64, i int) *node[V] {
	n.children[i] = n.children[i].mutable(owner)
	return n.children[i]
}

// Len returns the number of values.
func (t *Tree[V]) Len() int { return t.count }
