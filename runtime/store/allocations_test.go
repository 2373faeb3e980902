// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestPointReadsAndIndexReadsAllocateNothing(t *testing.T) {
	f := newFixture()
	fill(t, f, 1000)
	live, n := f.Reader(), 0
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for read, do := range map[string]func(){
			"Get": func() { r.Get("k7") },
			"Of": func() {
				for it := range f.byNode.Get(r, "n7") {
					n += len(it.key)
				}
			},
			"Count": func() { f.byNode.Count(r, "n7") },
			"All": func() {
				for it := range r.All() {
					n += len(it.key)
				}
			},
			"Len": func() { r.Len() },
		} {
			if got := testing.AllocsPerRun(100, do); got != 0 {
				t.Errorf("%s %s: %v allocations", name, read, got)
			}
		}
	}
}

func TestUpdateInPlaceAllocatesNothing(t *testing.T) {
	f := newFixture()
	items := fill(t, f, 1000)
	next := *items[7]
	if got := testing.AllocsPerRun(100, func() { f.Set(&next) }); got > 0 {
		t.Errorf("an update that changes no index value: %v allocations", got)
	}
}

// A read of the position leaves nothing for the next write to copy, and neither does a wait.
func TestWriteAfterReadOfPositionAllocatesNothing(t *testing.T) {
	f := newFixture()
	items := fill(t, f, 1000)
	next, r := *items[7], f.Reader()
	at := r.Mark()
	wait := func(version string) (ended chan error, cancel func()) {
		ctx, cancel := context.WithCancel(t.Context())
		ended = make(chan error)
		go func() { ended <- r.WaitFor(ctx, version) }()
		return ended, cancel
	}
	for name, read := range map[string]func(){
		"ResourceVersion":   func() { r.ResourceVersion() },
		"ResourceVersionOf": func() { r.ResourceVersionOf("source") },
		"Mark":              func() { r.Mark() },
		"MarkOf":            func() { r.MarkOf("source") },
		"Reached":           func() { r.Reached(at, "7") },
		"beside WaitFor":    runtime.Gosched, // the wait runs
	} {
		ended, cancel := wait("1000000")
		if got := testing.AllocsPerRun(100, func() { read(); f.Set(&next) }); got > 0 {
			t.Errorf("%s, then a write: %v allocations", name, got)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the wait returned %v", name, err)
		}
	}
}

func TestReadsOfEveryKindAllocateLittle(t *testing.T) {
	f := newFixture()
	for i := range 1000 {
		f.Set(&item{
			key: fmt.Sprint("k", i), name: fmt.Sprint(i), age: i % 50,
			node: fmt.Sprint("n", i%10), labels: []string{"all"},
		})
	}
	live, n := f.Reader(), 0
	both := store.AllOf(f.byNode.Equal("n7"), f.byAge.Equal(7))
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for _, read := range []struct {
			what string
			most float64
			do   func()
		}{
			{"Snapshot", 0, func() { r.Snapshot() }},
			{"Unique.Get", 0, func() { f.byName.Get(r, "7") }},
			{"ConflictCount", 0, func() { f.byName.ConflictCount(r) }},
			{"Query.Count of one value", 0, func() { f.byNode.Count(r, "n7") }},
			{"Ascend", 6, func() {
				for it := range f.byAge.Ascend(r, store.Between(10, 12)) {
					n += len(it.key)
				}
			}},
			{"an intersection", 3, func() {
				for it := range both.Get(r) {
					n += len(it.key)
				}
			}},
		} {
			if got := testing.AllocsPerRun(100, read.do); got > read.most {
				t.Errorf("%s %s: %v allocations, want at most %v", name, read.what, got, read.most)
			}
		}
	}
}
