// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// hashes are the ways in which tests spread keys: well, over few values, and
// over one, where every path of hash bits ends and leaves overflow.
var hashes = map[string]func(int) uint64{
	"good":     func(k int) uint64 { return uint64(k+1) * 0x9e3779b97f4a7c15 },
	"few bits": func(k int) uint64 { return uint64(k%7) << 12 },
	"constant": func(int) uint64 { return 42 },
}

func TestTrieAgainstMap(t *testing.T) {
	for name, hash := range hashes {
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, 2))
			type frozen struct {
				trie trie[int]
				want map[int]bool
			}
			var (
				tr    trie[int]
				model = map[int]bool{}
				old   []frozen
				owner uint64
			)
			for range 6000 {
				k := rng.IntN(700)
				is := func(e int) bool { return e == k }
				switch _, there := tr.find(hash(k), is); {
				case there != model[k]:
					t.Fatalf("find(%d) = %v, want %v", k, there, model[k])
				case !there:
					tr.insert(owner, hash(k), k, hash)
					model[k] = true
				case rng.IntN(3) == 0:
					if ref := tr.ref(owner, hash(k), is); ref == nil || *ref != k {
						t.Fatalf("ref(%d) = %v", k, ref)
					}
				default:
					if !tr.remove(owner, hash(k), is) {
						t.Fatalf("remove(%d) found nothing", k)
					}
					delete(model, k)
				}
				if rng.IntN(400) == 0 {
					want := map[int]bool{}
					for k := range model {
						want[k] = true
					}
					old = append(old, frozen{tr, want})
					owner++
				}
			}
			for _, f := range append(old, frozen{tr, model}) {
				checkTrie(t, &f.trie, f.want, hash)
			}
		})
	}
}

func checkTrie(t *testing.T, tr *trie[int], want map[int]bool, hash func(int) uint64) {
	t.Helper()
	if tr.n != len(want) {
		t.Errorf("n = %d, want %d", tr.n, len(want))
	}
	seen := map[int]bool{}
	for k := range tr.each {
		if seen[k] || !want[k] {
			t.Errorf("all yields %d (again: %v)", k, seen[k])
		}
		seen[k] = true
	}
	for k := range want {
		if _, ok := tr.find(hash(k), func(e int) bool { return e == k }); !ok || !seen[k] {
			t.Errorf("%d is lost", k)
		}
	}
}

func TestTrieEmptiesAndStops(t *testing.T) {
	var tr trie[int]
	hash := hashes["good"]
	for k := range 1000 {
		tr.insert(0, hash(k), k, hash)
	}
	n := 0
	for range tr.each {
		if n++; n == 10 {
			break
		}
	}
	if n != 10 {
		t.Errorf("broke off after %d", n)
	}
	for k := range 1000 {
		tr.remove(0, hash(k), func(e int) bool { return e == k })
	}
	if tr.root != nil {
		t.Error("an empty trie keeps its nodes")
	}
}

func TestPostingAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, span := range []int{40, 3000} {
		type frozen struct {
			p    posting
			want []uint32
		}
		var (
			p     posting
			model = map[uint32]bool{}
			old   []frozen
			owner uint64
		)
		sorted := func() []uint32 {
			want := make([]uint32, 0, len(model))
			for s := range model {
				want = append(want, s)
			}
			slices.Sort(want)
			return want
		}
		for i := range 30000 {
			slot := uint32(rng.IntN(span))
			// Grow, then shrink, so that arrays become blocks and blocks arrays.
			if rng.IntN(100) < 70 == (i%20000 < 10000) {
				if got := p.add(owner, slot); got == model[slot] {
					t.Fatalf("add(%d) = %v", slot, got)
				}
				model[slot] = true
			} else {
				if got := p.remove(owner, slot); got != model[slot] {
					t.Fatalf("remove(%d) = %v", slot, got)
				}
				delete(model, slot)
			}
			if p.has(slot) != model[slot] {
				t.Fatalf("has(%d) = %v", slot, p.has(slot))
			}
			if rng.IntN(1500) == 0 {
				old = append(old, frozen{p, sorted()})
				p = p.clone()
				owner++
			}
		}
		for _, f := range append(old, frozen{p, sorted()}) {
			var got []uint32
			f.p.each(func(s uint32) bool { got = append(got, s); return true })
			if !slices.Equal(got, f.want) || f.p.len() != len(f.want) {
				t.Errorf("span %d: posting of %d slots differs from its %d", span, len(got), len(f.want))
			}
		}
	}
}

func TestPostingInOrderFillsItsBlocks(t *testing.T) {
	var p posting
	for s := range uint32(10 * blockSize) {
		p.add(0, s)
	}
	if n := len(p.large.list); n > 11 {
		t.Errorf("%d slots in order take %d blocks", p.len(), n)
	}
}

func TestTreeAgainstMap(t *testing.T) {
	order := func(a, b int) int { return a - b }
	rng := rand.New(rand.NewPCG(5, 6))
	type frozen struct {
		tree tree[int]
		want []int
	}
	var (
		tr    tree[int]
		model = map[int]bool{}
		old   []frozen
		owner uint64
	)
	values := func() []int { return slices.Sorted(maps.Keys(model)) }
	for i := range 40000 {
		k := rng.IntN(6000)
		e := tr.find(order, k)
		if (e != nil) != model[k] || e != nil && e.value != k {
			t.Fatalf("find(%d) = %v, want %v", k, e, model[k])
		}
		// Grow, shrink to nearly nothing, grow again.
		grow := rng.IntN(100) < 85
		if i%20000 > 10000 {
			grow = !grow
		}
		switch {
		case e == nil && grow:
			tr.insert(owner, order, &bucket[int]{value: k})
			model[k] = true
		case e != nil && !grow:
			tr.remove(owner, tr.pathTo(order, e))
			delete(model, k)
		case e != nil:
			*tr.ref(owner, tr.pathTo(order, e)) = &bucket[int]{value: k, owner: owner}
		}
		if rng.IntN(2000) == 0 {
			old = append(old, frozen{tr, values()})
			owner++
		}
	}
	for _, f := range append(old, frozen{tr, values()}) {
		checkTree(t, f.tree, order, f.want)
	}
	for _, k := range values() {
		tr.remove(owner, tr.pathTo(order, tr.find(order, k)))
	}
	if tr.root != nil || tr.n != 0 {
		t.Error("an empty tree keeps its nodes")
	}
}

func checkTree(t *testing.T, tr tree[int], order func(a, b int) int, want []int) {
	t.Helper()
	walk := func(span Span[int], walk func(*tree[int], func(a, b int) int, Span[int], func(*bucket[int]) bool)) (got []int) {
		walk(&tr, order, span, func(e *bucket[int]) bool { got = append(got, e.value); return true })
		return got
	}
	if tr.n != len(want) {
		t.Errorf("n = %d, want %d", tr.n, len(want))
	}
	for _, span := range []Span[int]{{}, Between(1000, 1500), Between(1500, 1000), AtLeast(3001), Below(77), Between(-5, 1<<20)} {
		var in []int
		for _, v := range want {
			if span.has(order, v) {
				in = append(in, v)
			}
		}
		if got := walk(span, (*tree[int]).ascend); !slices.Equal(got, in) {
			t.Errorf("ascend %v: %d values, want %d", span, len(got), len(in))
		}
		slices.Reverse(in)
		if got := walk(span, (*tree[int]).descend); !slices.Equal(got, in) {
			t.Errorf("descend %v: %d values, want %d", span, len(got), len(in))
		}
	}
}
