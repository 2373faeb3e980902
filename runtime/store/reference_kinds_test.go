// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type reader = store.Reader[string, *item]

// checkKinds compares the reads that only some kinds of index have.
func (f fixture) checkKinds(t *testing.T, r reader, m reference) {
	t.Helper()
	if f.hasOrder() {
		checkOrdered(t, r, f.byAge, m, ageOf, cmp.Compare[int], func(i int) int { return i*3 - 4 })
		checkOrdered(t, r, f.byMarks, m, labelsOf, cmp.Compare[string], func(i int) string {
			return fmt.Sprint("label-", i/2-1)
		})
		checkIndex(t, r, f.byAge.Index, scan(m, ageOf))
		checkOrdered(t, r, f.byRank.Ordered, m, nameOf, cmp.Compare[string], func(i int) string {
			return fmt.Sprint(i * 17)
		})
		checkUnique(t, r, f.byRank, m)
	}
	checkIndex(t, r, f.byName.Index, scan(m, nameOf))
	checkIndex(t, r, f.labels.Index, scan(m, func(dst []store.Label, it *item) []store.Label {
		for k, v := range it.Labels {
			dst = append(dst, store.Label{Key: k, Value: v})
		}
		return dst
	}))
	checkUnique(t, r, f.byName, m)
	f.checkSelectors(t, r, m)
	f.checkSets(t, r, m)
}

// unique has the methods of both kinds of unique index.
type unique interface {
	Get(r reader, value string) (*item, bool)
	Conflicts(r reader) iter.Seq2[string, int]
}

func checkUnique(t *testing.T, r reader, ix unique, m reference) {
	t.Helper()
	conflicts := map[string]int{}
	for name, objs := range scan(m, nameOf) {
		objs = sorted(slices.Values(objs))
		if got, ok := ix.Get(r, name); !ok || got != objs[0] {
			t.Fatalf("unique %s: got %v, want %v, the lowest of %v", name, got, objs[0], objs)
		}
		if len(objs) > 1 {
			conflicts[name] = len(objs)
		}
	}
	if got := maps.Collect(ix.Conflicts(r)); !maps.Equal(got, conflicts) {
		t.Fatalf("conflicts %v, want %v", got, conflicts)
	}
	if got, ok := ix.Get(r, "no such name"); ok || got != nil {
		t.Fatalf("unique found %v under a name that nobody has", got)
	}
}

// entry is an object under one of its values.
type entry[V any] struct {
	value V
	it    *item
}

func checkOrdered[V comparable](t *testing.T, r reader, ix store.Ordered[string, *item, V], m reference,
	fn func([]V, *item) []V, order func(a, b V) int, bound func(int) V) {
	t.Helper()
	var all []entry[V]
	for v, objs := range scan(m, fn) {
		for _, it := range objs {
			all = append(all, entry[V]{v, it})
		}
	}
	up := func(a, b entry[V]) int { return cmp.Or(order(a.value, b.value), cmp.Compare(a.it.key, b.it.key)) }
	down := func(a, b entry[V]) int {
		return cmp.Or(order(b.value, a.value), cmp.Compare(a.it.key, b.it.key))
	}
	if values := slices.Collect(keysOf(ix.Values(r))); !slices.IsSortedFunc(values, order) {
		t.Fatalf("%s: values out of order: %v", ix.Name(), values)
	}
	for i := 1; i < 6; i += 2 {
		for j := i; j < 8; j += 3 {
			spans := map[string]store.Range[V]{
				"between": store.Between(bound(i), bound(j)), "at least": store.AtLeast(bound(i)),
				"below": store.Below(bound(j)), "all": {},
			}
			for name, span := range spans {
				var in []entry[V]
				for _, e := range all {
					if (name == "below" || name == "all" || order(e.value, bound(i)) >= 0) &&
						(name == "at least" || name == "all" || order(e.value, bound(j)) < 0) {
						in = append(in, e)
					}
				}
				name = fmt.Sprintf("%s %s %v %v", ix.Name(), name, bound(i), bound(j))
				slices.SortFunc(in, up)
				checkWalk(t, name+" up", in, ix.Ascend(r, span), fn)
				slices.SortFunc(in, down)
				checkWalk(t, name+" down", in, ix.Descend(r, span), fn)
				want := map[*item]bool{}
				for _, e := range in {
					want[e.it] = true
				}
				checkQuery(t, name, r, ix.Within(span), want)
			}
		}
	}
	slices.SortFunc(all, up)
	least, ok := ix.Min(r)
	if ok != (len(all) > 0) || ok && least != all[0].it {
		t.Fatalf("%s: Min = %v, %v", ix.Name(), least, ok)
	}
	slices.SortFunc(all, down)
	most, ok := ix.Max(r)
	if ok != (len(all) > 0) || ok && most != all[0].it {
		t.Fatalf("%s: Max = %v, %v", ix.Name(), most, ok)
	}
}

func keysOf[K, V any](seq iter.Seq2[K, V]) iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range seq {
			if !yield(k) {
				return
			}
		}
	}
}

// checkWalk compares a sequence with the entries, by value in order and each once.
func checkWalk[V comparable](
	t *testing.T, name string, want []entry[V], seq iter.Seq[*item], fn func([]V, *item) []V,
) {
	t.Helper()
	got := slices.Collect(seq)
	if len(got) != len(want) {
		t.Fatalf("%s: %d objects, want %d", name, len(got), len(want))
	}
	times := map[*item]int{}
	for i, it := range got {
		if !slices.Contains(fn(nil, it), want[i].value) {
			t.Fatalf("%s: at %d is %v, want one with %v", name, i, it, want[i].value)
		}
		times[it]++
		times[want[i].it]--
	}
	for it, n := range times {
		if n != 0 {
			t.Fatalf("%s: %v comes %d times more often than it should", name, it, n)
		}
	}
}

var selectors = func() (parsed []labels.Selector) {
	for _, s := range []string{
		"app=1", "app==2", "app=9", "app in (1,2,9)", "app notin (1,2)", "app!=3", "app", "!app",
		"nokey", "!nokey",
		"size>2", "size<3", "size>2,size<5", "app=1,tier=2", "app in (1,2,3),tier notin (1,2)", "app,!tier",
		"app=1,nokey", "app!=1,tier!=2", "app notin (1),!size", "app=1,app!=1",
		"app in (1,2),app in (2,3),size", "",
	} {
		sel, err := labels.Parse(s)
		if err != nil {
			panic(err)
		}
		parsed = append(parsed, sel)
	}
	return append(parsed, labels.Nothing(), nil)
}()

func (f fixture) checkSelectors(t *testing.T, r reader, m reference) {
	t.Helper()
	for _, sel := range selectors {
		want := map[*item]bool{}
		for _, it := range m.objs {
			if sel == nil || sel.Matches(labels.Set(it.Labels)) {
				want[it] = true
			}
		}
		checkQuery(t, fmt.Sprintf("selector %v", sel), r, store.Matching[string, *item](sel), want)
	}
	for _, key := range []string{"app", "nokey"} {
		want := map[*item]bool{}
		for _, it := range m.objs {
			if _, ok := it.Labels[key]; ok {
				want[it] = true
			}
		}
		checkQuery(t, "has "+key, r, f.labels.Has(key), want)
	}
}

func checkQuery(t *testing.T, name string, r reader, q store.Query[string, *item], want map[*item]bool) {
	t.Helper()
	seen := map[*item]bool{}
	for it := range q.Get(r) {
		if seen[it] || !want[it] {
			t.Fatalf("%s: yields %v (again: %v)", name, it, seen[it])
		}
		seen[it] = true
	}
	if len(seen) != len(want) || q.Count(r) != len(want) {
		t.Fatalf("%s: %d objects, Count %d, want %d", name, len(seen), q.Count(r), len(want))
	}
}

// checkSets compares random queries, of every kind of index, with predicates.
func (f fixture) checkSets(t *testing.T, r reader, m reference) {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(len(m.objs)), uint64(r.Len())))
	for range 12 {
		q, matches := f.randomQuery(rng, 3)
		want := map[*item]bool{}
		for _, it := range m.objs {
			if matches(it) {
				want[it] = true
			}
		}
		checkQuery(t, "a random query", r, q, want)
		for range q.Get(r) {
			break // stopping is fine at any place
		}
	}
}

func (f fixture) randomQuery(rng *rand.Rand, depth int) (store.Query[string, *item], func(*item) bool) {
	if depth == 0 || rng.IntN(4) == 0 {
		return f.randomLeaf(rng)
	}
	a, inA := f.randomQuery(rng, depth-1)
	b, inB := f.randomQuery(rng, depth-1)
	c, inC := f.randomQuery(rng, depth-1)
	switch rng.IntN(3) {
	case 0:
		return store.AllOf(a, b, c), func(it *item) bool { return inA(it) && inB(it) && inC(it) }
	case 1:
		return store.AnyOf(a, b, c), func(it *item) bool { return inA(it) || inB(it) || inC(it) }
	}
	return a.Except(b), func(it *item) bool { return inA(it) && !inB(it) }
}

func (f fixture) randomLeaf(rng *rand.Rand) (store.Query[string, *item], func(*item) bool) {
	node, label, age := fmt.Sprint("node-", rng.IntN(7)), fmt.Sprint("label-", rng.IntN(6)), rng.IntN(30)
	kind := rng.IntN(9)
	if !f.hasOrder() && (kind == 2 || kind == 3) {
		kind = 0
	}
	switch kind {
	case 0:
		return f.byNode.Equal(node), func(it *item) bool { return it.node == node && node != "" }
	case 1:
		return f.byLabel.In(label, "label-1"), func(it *item) bool {
			return slices.Contains(it.labels, label) || slices.Contains(it.labels, "label-1")
		}
	case 2:
		return f.byAge.Within(store.AtLeast(age)), func(it *item) bool { return it.age >= age }
	case 3:
		return f.byMarks.Within(store.Below(label)), func(it *item) bool {
			return slices.ContainsFunc(it.labels, func(l string) bool { return l < label })
		}
	case 4:
		sel := selectors[rng.IntN(len(selectors)-1)]
		return store.Matching[string, *item](sel), func(it *item) bool {
			return sel.Matches(labels.Set(it.Labels))
		}
	case 5:
		return f.labels.Has("app"), func(it *item) bool { return it.Labels["app"] != "" }
	case 6:
		return f.byName.Equal("7"), func(it *item) bool { return it.name == "7" }
	case 7:
		return store.Query[string, *item]{}, func(*item) bool { return false }
	}
	return store.AllOf[string, *item](), func(*item) bool { return true }
}
