// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A feeder leaves out and returns the objects without a key, and stores the others.
func TestFeederLeavesOutObjectsWithoutKey(t *testing.T) {
	for _, replace := range []bool{false, true} {
		s := store.New(func(it *item) string { return it.key })
		_ = s.Replace([]*item{{key: "gone"}, {key: "deleted"}}, "1")
		var b store.Batch[string, *item]
		if replace {
			b.Replace([]*item{nil, {key: "listed"}, nil})
		}
		b.Delete("deleted")
		b.Set(&item{key: "a"})
		b.Set(nil)
		b.ResourceVersion("7")
		var at []int
		for _, e := range store.NewFeeder(s, nil).Apply(&b) {
			at = append(at, e.Position)
		}
		// A Replace that lacks objects must not delete what these may be.
		want, has := []int{2}, []string{"a", "gone"}
		if replace {
			want, has = []int{0, 2, 5}, []string{"a", "gone", "listed"}
		}
		if !slices.Equal(at, want) {
			t.Errorf("replace %v: left out %v, want %v", replace, at, want)
		}
		if got := slices.Sorted(s.Reader().Keys()); !slices.Equal(got, has) {
			t.Errorf("replace %v: the store has %v, want %v", replace, got, has)
		}
		if rv := s.Reader().ResourceVersion(); rv != "7" {
			t.Errorf("replace %v: the store is at %q", replace, rv)
		}
		b.Reset()
		b.Replace([]*item{{key: "b"}})
		if left := store.NewFeeder(s, nil).Apply(&b); len(left) > 0 || s.Reader().Len() != 1 {
			t.Errorf("replace %v: the next list leaves out %v, and the store has %d",
				replace, left, s.Reader().Len())
		}
	}
}
