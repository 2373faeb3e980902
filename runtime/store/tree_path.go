// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// path is the way to a bucket in a tree: which child of each node, and in the
// end which item. A node has at least nodeMin of them: no tree is as deep.
type path [12]uint8

// pathTo returns the way to e, which is in the tree.
func (t *tree[V]) pathTo(order func(a, b V) int, e *bucket[V]) (p path) {
	n, depth := t.root, 0
	for ; n.kids != nil; depth++ {
		i := n.child(order, e.value)
		n, p[depth] = n.kids[i], uint8(i)
	}
	i, _ := n.place(order, e.value)
	if i == len(n.items) || n.items[i] != e {
		panic("indexer-gen: the order of an index contradicts itself") //nolint:forbidigo // the caller's bug
	}
	p[depth] = uint8(i)
	return p
}
