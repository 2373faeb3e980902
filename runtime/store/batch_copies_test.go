// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A batch copies each node that it changes once.
func TestBatchCopiesEachNodeOnce(t *testing.T) {
	f := newUnordered()
	items := fill(t, f, 5000)
	var b store.Batch[string, *item]
	update := func(step int) func() {
		return func() {
			b.Reset()
			for i := 0; i < len(items); i += step {
				b.Set(items[i])
			}
			if _, err := f.Apply(&b); err != nil {
				t.Fatal(err)
			}
		}
	}
	update(1)()
	// 157 chunks of 32 slots and as many arrays of keys, 10 nodes, a branch and a list above them, and a
	// version.
	if got := testing.AllocsPerRun(20, update(1)); got > 331 {
		t.Errorf("a batch that updates 5,000 objects makes %v allocations, want 331", got)
	}
	if got := testing.AllocsPerRun(20, update(2500)); got > 12 {
		t.Errorf("a batch that updates 2 objects makes %v allocations, want 12", got)
	}
}

// Snapshots before, between and after batches that update the same objects do not change.
func TestSnapshotDuringBatches(t *testing.T) {
	f := newUnordered()
	items := fill(t, f, 200)
	type taken struct {
		r    store.Reader[string, *item]
		want []*item
	}
	var all []taken
	for round := range 40 {
		var b store.Batch[string, *item]
		for i := round % 7; i < len(items); i += 7 {
			for range 1 + round%2 { // the same object twice
				next := *items[i]
				items[i] = &next
				b.Set(items[i])
			}
		}
		if _, err := f.Apply(&b); err != nil {
			t.Fatal(err)
		}
		if round%3 == 0 {
			all = append(all, taken{f.Reader().Snapshot(), append([]*item(nil), items...)})
		}
	}
	all = append(all, taken{f.Reader(), items})
	for n, snapshot := range all {
		for i, want := range snapshot.want {
			if got, _ := snapshot.r.Get(fmt.Sprint("k", i)); got != want {
				t.Fatalf("snapshot %d has another state of k%d", n, i)
			}
		}
	}
}
