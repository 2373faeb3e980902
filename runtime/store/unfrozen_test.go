// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"context"
	"testing"
)

// Reads of sizes and positions take no snapshot, so the next write copies nothing.
func TestReadsOfSizesAndPositionsFreezeNothing(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	byNode := AddUnique(s, "Node", func(dst []string, o *thing) []string { return append(dst, o.Node) })
	byN := AddUniqueOrdered(s, "N", func(dst []int, o *thing) []int {
		return append(dst, o.N)
	}, cmp.Compare[int])
	for i, name := range []string{"a", "b", "c"} {
		if err := s.Set(&thing{Name: name, Node: "n", N: i / 2}); err != nil {
			t.Fatal(err)
		}
	}
	var b Batch[string, *thing]
	b.ResourceVersion("5")
	if err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, read := range map[string]struct {
		count func(r Reader[string, *thing]) int
		want  int
	}{
		"Reader.Len":         {Reader[string, *thing].Len, 3},
		"Index.Len":          {byNode.Len, 1},
		"Index.Len, ordered": {byN.Len, 2},
		"Index.Count": {func(r Reader[string, *thing]) int {
			return byNode.Count(r, "n")
		}, 3},
		"ConflictCount":                 {byNode.ConflictCount, 1},
		"ConflictCount, ordered":        {byN.ConflictCount, 1},
		"Query.Count of one value":      {byNode.Equal("n").Count, 3},
		"Query.Count of one of several": {byNode.In("n").Count, 3},
		"Query.Count of no such value":  {byNode.Equal("m").Count, 0},
		"Query.Count of all":            {AllOf[string, *thing]().Count, 3},
		"Stale": {func(r Reader[string, *thing]) int {
			if r.Stale("a") {
				return 1
			}
			return 0
		}, 0},
		"ResourceVersion":   {func(r Reader[string, *thing]) int { return len(r.ResourceVersion()) }, 1},
		"ResourceVersionOf": {func(r Reader[string, *thing]) int { return len(r.ResourceVersionOf("")) }, 1},
		"Mark": {func(r Reader[string, *thing]) int {
			if r.Mark() == (Mark{}) || r.MarkOf("") == (Mark{}) {
				return 0
			}
			return 1
		}, 1},
		"Reached": {func(r Reader[string, *thing]) int {
			if reached, err := r.Reached(r.Mark(), "5"); !reached || err != nil {
				return 0
			}
			return 1
		}, 1},
		"WaitFor": {func(r Reader[string, *thing]) int {
			if r.WaitFor(over, "5") != nil || r.WaitFor(over, "6") == nil {
				return 0
			}
			return 1
		}, 1},
	} {
		s.shared.Store(false) // nobody holds what was frozen before
		if got := read.count(s.Reader()); got != read.want {
			t.Errorf("%s: %d, want %d", name, got, read.want)
		}
		if s.shared.Load() {
			t.Errorf("%s has frozen the version", name)
		}
		if got := read.count(s.Reader().Snapshot()); got != read.want {
			t.Errorf("%s of a snapshot: %d, want %d", name, got, read.want)
		}
	}
}
