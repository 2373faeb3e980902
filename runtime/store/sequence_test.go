// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestSequenceShowsTheStoreAsRangingBegan(t *testing.T) {
	f := newFixture()
	fill(t, f, 500)
	n := 0
	for it := range f.byLabel.Get(f.Reader(), "all") {
		// The body does what it likes: deletes, adds, reads, ranges again.
		f.Delete(it.key)
		f.Set(&item{key: "new-" + it.key, node: it.node, labels: []string{"all"}})
		if _, ok := f.Reader().Get(it.key); ok {
			t.Fatalf("%s is still there after its deletion", it.key)
		}
		for range f.byNode.Get(f.Reader(), it.node) {
			break
		}
		if n++; n == 100 {
			for i := range 400 { // what is yet to come goes, and others come
				f.Delete(fmt.Sprint("k", i))
			}
			for i := range 50 {
				f.Set(&item{key: fmt.Sprint("new-other", i), labels: []string{"all"}})
			}
		}
		if !strings.HasPrefix(it.key, "k") {
			t.Fatalf("%s came after ranging had begun", it.key)
		}
	}
	if n != 500 {
		t.Errorf("saw %d of 500", n)
	}
	for it := range f.Reader().All() {
		if !strings.HasPrefix(it.key, "new-") {
			t.Fatalf("%s was not replaced", it.key)
		}
	}
}

func TestSequenceIsLazy(t *testing.T) {
	f := newFixture()
	seq := f.byNode.Get(f.Reader(), "n1")
	fill(t, f, 20)
	if n := len(slices.Collect(seq)); n != 2 {
		t.Errorf("a sequence made before the writes yields %d, want the 2 there are when ranging begins", n)
	}
}
