// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// path is the way to a bucket in a tree: which child of each node, and in the
// end which item. A node has at least nodeMin of them: no tree is as deep.
type path [12]uint8

// pathTo returns the way to e, which is in the tree. It goes by the order; but
// what foreign code says of the order must not decide whether a bucket that
// stands there can be taken out, so if that leads elsewhere it looks everywhere.
func (t *tree[V]) pathTo(order func(a, b V) int, e *bucket[V]) (p path) {
	if !t.pathBy(order, e, &p) {
		t.root.search(e, p[:])
	}
	return p
}

func (t *tree[V]) pathBy(order func(a, b V) int, e *bucket[V], p *path) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	n, depth := t.root, 0
	for ; n.kids != nil; depth++ {
		i := n.child(order, e.value)
		n, p[depth] = n.kids[i], uint8(i)
	}
	i, ok := n.place(order, e.value)
	p[depth] = uint8(i)
	return ok && n.items[i] == e
}

func (n *node[V]) search(e *bucket[V], p []uint8) bool {
	for i, item := range n.items {
		if p[0] = uint8(i); item == e {
			return true
		}
	}
	for i, kid := range n.kids {
		if p[0] = uint8(i); kid.search(e, p[1:]) {
			return true
		}
	}
	return false
}
