// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A batch of updates copies no chunks, except the first batch after a snapshot.
func TestBatchOfUpdatesCopiesNothing(t *testing.T) {
	f := newUnordered()
	items := fill(t, f, 5000)
	var b store.Batch[string, *item]
	update := func() {
		b.Reset()
		for i := 0; i < len(items); i += 10 {
			next := *items[i]
			items[i] = &next
			b.Set(items[i])
		}
		if err := f.Apply(&b); err != nil {
			t.Fatal(err)
		}
	}
	update()
	update()
	const objects, fixed = 500, 12 // those of the test, and a version with what leads to it
	if got := testing.AllocsPerRun(20, update); got > objects+fixed {
		t.Errorf("a batch of %d updates allocates %v times beside its objects, want %d",
			objects, got-objects, fixed)
	}
	if got := testing.AllocsPerRun(20, func() { f.Reader().Snapshot(); update() }); got < objects+70 {
		t.Errorf(
			"a batch of %d updates after a snapshot allocates %v times beside its objects, want one for each chunk",
			objects,
			got-objects,
		)
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
		if err := f.Apply(&b); err != nil {
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
