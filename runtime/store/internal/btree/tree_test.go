// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package btree

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

func TestTreeAgainstMap(t *testing.T) {
	order := func(a, b int) int { return a - b }
	rng := rand.New(rand.NewPCG(5, 6))
	type frozen struct {
		tree Tree[int]
		want []int
	}
	var (
		tr    Tree[int]
		model = map[int]bool{}
		old   []frozen
		owner uint64
	)
	values := func() []int { return slices.Sorted(maps.Keys(model)) }
	for i := range 40000 {
		k := rng.IntN(6000) - 3000
		e := tr.Find(order, k)
		if (e != nil) != model[k] || e != nil && e.Value != k {
			t.Fatalf("find(%d) = %v, want %v", k, e, model[k])
		}
		// Grow, shrink to nearly nothing, grow again.
		grow := rng.IntN(100) < 85
		if i%20000 > 10000 {
			grow = !grow
		}
		switch {
		case e == nil && grow:
			tr.Insert(owner, order, &posting.Bucket[int]{Value: k})
			model[k] = true
		case e != nil && !grow:
			tr.Remove(owner, order, e)
			delete(model, k)
		case e != nil:
			*tr.Ref(owner, order, e) = &posting.Bucket[int]{Value: k, Owner: owner}
		}
		if rng.IntN(2000) == 0 {
			old = append(old, frozen{tr, values()})
			owner++
		}
	}
	for _, f := range append(old, frozen{tr, values()}) {
		checkTree(t, f.tree, order, f.want)
	}
	for k := range 6000 {
		if k -= 3000; !model[k] {
			tr.Insert(owner, order, &posting.Bucket[int]{Value: k})
			model[k] = true
		}
	}
	for i, k := range rng.Perm(6000) {
		k -= 3000
		tr.Remove(owner, order, tr.Find(order, k))
		if delete(model, k); i%500 == 0 {
			checkTree(t, tr, order, values())
		}
	}
	if tr.root != nil || tr.count != 0 {
		t.Error("an empty tree keeps its nodes")
	}
}

func checkTree(t *testing.T, tr Tree[int], order func(a, b int) int, want []int) {
	t.Helper()
	walk := func(span Range[int], down bool) (got []int) {
		calls := 0
		counted := func(a, b int) int { calls++; return order(a, b) }
		tr.Walk(counted, span, down, func(e *posting.Bucket[int]) bool { got = append(got, e.Value); return true })
		if calls > 3*len(got)+200 {
			t.Errorf("%v: %d comparisons for %d values", span, calls, len(got))
		}
		return got
	}
	if tr.root != nil {
		checkNode(t, tr.root, true)
	}
	if tr.count != len(want) {
		t.Errorf("n = %d, want %d", tr.count, len(want))
	}
	for _, span := range []Range[int]{
		{}, between(-1000, -500), between(1500, 1000), between(-5, 1<<20),
		{From: 1001, HasFrom: true}, {To: -1077, HasTo: true},
	} {
		var in []int
		for _, v := range want {
			if span.Has(order, v) {
				in = append(in, v)
			}
		}
		if got := walk(span, false); !slices.Equal(got, in) {
			t.Errorf("ascend %v: %d values, want %d", span, len(got), len(in))
		}
		slices.Reverse(in)
		if got := walk(span, true); !slices.Equal(got, in) {
			t.Errorf("descend %v: %d values, want %d", span, len(got), len(in))
		}
	}
}

// checkNode reports nodes that are nearly empty, and pointers left behind the end of a node.
func checkNode(t *testing.T, n *node[int], root bool) {
	t.Helper()
	if n.bucketOrChildCount() < nodeMin && !root {
		t.Errorf("a node has %d entries", n.bucketOrChildCount())
	}
	for _, e := range n.buckets[len(n.buckets):cap(n.buckets)] {
		if e != nil {
			t.Errorf("a node still has %d", e.Value)
		}
	}
	for i, kid := range n.children {
		if i > 0 && kid.children != nil && kid.childLowerBounds[0] != n.childLowerBounds[i] {
			t.Errorf("a node begins at %d, and %d for its parent", kid.childLowerBounds[0], n.childLowerBounds[i])
		}
		checkNode(t, kid, false)
	}
}

// An order that contradicts itself is the caller's bug, which is not hidden.
func TestRefToMissingBucket(t *testing.T) {
	order := func(a, b int) int { return a - b }
	var tr Tree[int]
	for k := range 3 {
		tr.Insert(0, order, &posting.Bucket[int]{Value: k})
	}
	for _, k := range []int{1, 3} {
		func() {
			defer func() {
				if _, ok := recover().(string); !ok {
					t.Errorf("another bucket of %d", k)
				}
			}()
			tr.Ref(0, order, &posting.Bucket[int]{Value: k})
		}()
	}
}

func between(from, to int) Range[int] {
	return Range[int]{From: from, To: to, HasFrom: true, HasTo: true}
}
