// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package btree

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"

// path is the path to a bucket: the index of the child in each node, and of the item in the leaf.
// Nodes have at least nodeMin children, so no tree is deeper.
type path [12]uint8

// PathTo returns the path to e, which is in the tree.
func (t *Tree[V]) PathTo(order func(a, b V) int, e *posting.Bucket[V]) (p path) {
	n, depth := t.root, 0
	for ; n.kids != nil; depth++ {
		i := n.child(order, e.Value)
		n, p[depth] = n.kids[i], uint8(i)
	}
	i, _ := n.place(order, e.Value)
	if i == len(n.items) || n.items[i] != e {
		panic("indexer-gen: the order of an index contradicts itself") //nolint:forbidigo // the caller's bug
	}
	p[depth] = uint8(i)
	return p
}
