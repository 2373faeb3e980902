// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package btree

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"

// path is the way to a bucket in a tree: which child of each node, and in the
// end which item. A node has at least nodeMin of them: no tree is as deep.
type path [12]uint8

// pathTo returns the way to e, which is in the tree.
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
