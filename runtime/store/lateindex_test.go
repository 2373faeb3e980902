// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestAddIndexWhileInUse(t *testing.T) {
	f := newFixture()
	reported := store.ReportsOf(f.Store)
	fill(t, f, 300)
	old := f.Reader().Snapshot()
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 300 {
			f.Set(&item{key: fmt.Sprint("k", i), node: "moved"})
		}
	})
	ix := store.AddIndex(f.Store, "late", nodeOf)
	wg.Wait()
	if n := ix.Count(f.Reader(), "moved"); n != 300 {
		t.Errorf("the late index has %d of 300", n)
	}
	for i := range 300 {
		f.Set(&item{key: fmt.Sprint("k", i), node: fmt.Sprint("again", i%2)})
	}
	if a, b := ix.Count(f.Reader(), "again0"), ix.Count(f.Reader(), "again1"); a != 150 || b != 150 ||
		ix.Len(f.Reader()) != 2 {
		t.Errorf("the late index has %d and %d of 150 each, under %d values", a, b, ix.Len(f.Reader()))
	}
	if errs := reported(); len(errs) > 0 {
		t.Errorf("index errors: %v", errs)
	}
	if n := len(slices.Collect(ix.Get(old, "n3"))); n != 30 || ix.Count(old, "n3") != 30 {
		t.Errorf("over an older snapshot it finds %d, want 30", n)
	}
	n := 0
	for range ix.Values(old) {
		n++
	}
	if n != 10 {
		t.Errorf("over an older snapshot it has %d values, want 10", n)
	}
	other := newFixture()
	fill(t, other, 10)
	if n := len(slices.Collect(ix.Get(other.Reader(), "n3"))); n != 1 {
		t.Errorf("over another store it finds %d, want 1", n)
	}
}
