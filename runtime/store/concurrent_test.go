// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Every snapshot is consistent while others write: each object is found by its index values
// and by no others, and batches are atomic.
func TestReadersSeeConsistentStates(t *testing.T) {
	f := newFixture()
	const pairs = 40
	// Objects come in twos that only ever move together: what one write of a
	// batch shows without the other is a torn batch.
	move := func(rng *rand.Rand) {
		i, node := rng.IntN(pairs), fmt.Sprint("node-", rng.IntN(8))
		var b store.Batch[string, *item]
		if rng.IntN(5) == 0 {
			b.Delete(fmt.Sprint("a", i))
			b.Delete(fmt.Sprint("b", i))
		} else {
			b.Set(&item{key: fmt.Sprint("a", i), node: node, labels: []string{node, "both"}})
			b.Set(&item{key: fmt.Sprint("b", i), node: node, labels: []string{node, "both"}})
		}
		f.Apply(&b)
	}
	var done atomic.Bool
	var writers, readers sync.WaitGroup
	for w := range 2 {
		writers.Go(func() {
			rng := rand.New(rand.NewPCG(uint64(w), 1))
			for i := range 1500 {
				move(rng)
				// A single write goes another way than a batch.
				f.Set(&item{key: fmt.Sprint("single", w), node: fmt.Sprint("alone", i%3), rev: i})
			}
		})
	}
	for range 3 {
		readers.Go(func() {
			for !done.Load() {
				r := f.Reader().Snapshot()
				byKey := map[string]*item{}
				for it := range r.All() {
					byKey[it.key] = it
					if !slices.Contains(slices.Collect(f.byNode.Get(r, it.node)), it) {
						t.Errorf("%v is not under its node", it)
						return
					}
				}
				found := 0
				for node := range f.byNode.Values(r) {
					for it := range f.byNode.Get(r, node) {
						found++
						if it.node != node || byKey[it.key] != it {
							t.Errorf("%v is under %s", it, node)
							return
						}
					}
				}
				if found != len(byKey) || r.Len() != found {
					t.Errorf("%d objects by node, %d in all, Len %d", found, len(byKey), r.Len())
					return
				}
				for i := range pairs {
					a, b := byKey[fmt.Sprint("a", i)], byKey[fmt.Sprint("b", i)]
					if (a == nil) != (b == nil) || a != nil && a.node != b.node {
						t.Errorf("half a batch shows: %v, %v", a, b)
						return
					}
				}
				// Live reads do not tear either.
				for it := range f.byLabel.Get(f.Reader(), "both") {
					if it.node == "" {
						t.Error("an object without a node is under both")
					}
				}
				f.Reader().Get("a1")
			}
		})
	}
	writers.Wait()
	done.Store(true)
	readers.Wait()
}

func TestReplaceShowsWhole(t *testing.T) {
	f := newFixture()
	generation := func(g int) []*item {
		items := make([]*item, 200)
		for i := range items {
			items[i] = &item{key: fmt.Sprint(g%3, "-", i), node: fmt.Sprint("g", g)}
		}
		return items
	}
	f.Replace(generation(0), "1")
	var wg sync.WaitGroup
	var done atomic.Bool
	wg.Go(func() {
		for !done.Load() {
			var node string
			n := 0
			for it := range f.Reader().All() {
				if node == "" {
					node = it.node
				}
				if n++; it.node != node {
					t.Errorf("two generations at once: %s and %s", node, it.node)
					return
				}
			}
			if n != 200 {
				t.Errorf("%d of 200 objects", n)
				return
			}
		}
	})
	for g := range 200 {
		f.Replace(generation(g), fmt.Sprint(g+2))
	}
	done.Store(true)
	wg.Wait()
}
