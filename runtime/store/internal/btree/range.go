// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package btree

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"

// Range is a range of values: From ≤ v < To. HasFrom and HasTo say which bounds are set.
type Range[V any] struct {
	From, To       V
	HasFrom, HasTo bool
}

// Has reports whether v is in the range.
func (r Range[V]) Has(order func(a, b V) int, v V) bool {
	return (!r.HasFrom || order(v, r.From) >= 0) && (!r.HasTo || order(v, r.To) < 0)
}

// Walk calls yield with the buckets in r, the lowest value first or, if down is set, the highest, until yield returns
// false.
func (t *Tree[V]) Walk(order func(a, b V) int, r Range[V], down bool, yield func(*posting.Bucket[V]) bool) {
	if t.root != nil {
		t.root.walkRange(order, r, down, yield)
	}
}

func (n *node[V]) walkRange(order func(a, b V) int, r Range[V], down bool, yield func(*posting.Bucket[V]) bool) bool {
	begin, end := 0, n.bucketOrChildCount()
	if n.children == nil {
		if r.HasFrom {
			begin, _ = n.searchLeaf(order, r.From)
		}
		if r.HasTo {
			end, _ = n.searchLeaf(order, r.To)
		}
	} else {
		if r.HasFrom {
			begin = n.childIndex(order, r.From)
		}
		if r.HasTo {
			end = n.childIndex(order, r.To) + 1
		}
	}
	for i := range end - begin {
		at := begin + i
		if down {
			at = end - 1 - i
		}
		if n.children == nil && !yield(n.buckets[at]) || n.children != nil && !n.children[at].walkRange(order, r, down, yield) {
			return false
		}
	}
	return true
}
