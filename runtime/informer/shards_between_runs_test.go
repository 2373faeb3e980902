// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
)

// Shards that change while the informer is not running take over as they do while it runs. An object of
// both ranges is no change. An object of only the old range gets a tombstone with SourceRemoved set.
func TestShardsChangeBetweenRuns(t *testing.T) {
	for _, again := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			for i := range 60 {
				srv.Set(widget(fmt.Sprint("w", i)))
			}
			old, next := shardOf(t, 0, 2), shardOf(t, 1, 3) // which have a sixth in common
			shards := shard.NewSet(old)
			inf := newInformer(shard.Source[*object](srv.Source(), shards))
			var (
				mu          sync.Mutex
				added, left []string
			)
			heard := func() (a, l []string) {
				synctest.Wait()
				mu.Lock()
				defer mu.Unlock()
				a, l, added = slices.Clone(added), slices.Clone(left), nil
				slices.Sort(a)
				slices.Sort(l)
				return a, l
			}
			inf.AddEventHandler(informer.HandlerFuncs[*object]{
				AddFunc: func(o *object, _ bool) {
					mu.Lock()
					defer mu.Unlock()
					added = append(added, keyOf(o).String())
				},
				DeleteFunc: func(d informer.Tombstone[*object]) {
					mu.Lock()
					defer mu.Unlock()
					if left = append(left, d.Key.String()); !d.SourceRemoved {
						t.Errorf("%+v", d)
					}
				},
			})
			stop := start(t, inf)
			heard()
			stop()
			if err := shards.Replace(t.Context(), next); err != nil {
				t.Fatal(err)
			}
			for range 8 { // more than both sources request at once
				srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
			}
			start(t, inf)
			_, gone := heard()
			if want := contained(srv, old); !slices.Equal(held(inf), want) || len(gone) > 0 {
				t.Errorf(
					"before the new shard has been read, the store has %v, want %v; %v have left",
					held(inf),
					want,
					gone,
				)
			}
			if again { // before that, it is changed back
				if err := shards.Replace(t.Context(), old, next); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(time.Minute)
			came, gone := heard()
			now := []shard.Range{next}
			if again {
				now = append(now, old)
			}
			if got, want := held(inf), contained(srv, now...); !slices.Equal(got, want) {
				t.Errorf("the store has %v, want %v", got, want)
			}
			both := contained(srv, old, next)
			wantAdded := slices.DeleteFunc(
				slices.Clone(both),
				func(name string) bool { return slices.Contains(contained(srv, old), name) },
			)
			wantLeft := slices.DeleteFunc(
				slices.Clone(both),
				func(name string) bool { return slices.Contains(contained(srv, now...), name) },
			)
			if !slices.Equal(came, wantAdded) || !slices.Equal(gone, wantLeft) {
				t.Errorf("told of %v and %v, want %v and %v", came, gone, wantAdded, wantLeft)
			}
			last := srv.Set(widget("last"))
			srv.Bookmark()
			if err := inf.WaitFor(t.Context(), last); err != nil {
				t.Error(err)
			}
		})
	}
}

// Another replica takes over a shard while a coalescing handler is busy. The tombstones of its objects say so. That of
// an object that was deleted before does not.
func TestShardLeavesBusyCoalescingHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		for i := range 30 {
			srv.Set(widget(fmt.Sprint("w", i)))
		}
		old, next := shardOf(t, 0, 2), shardOf(t, 1, 2)
		shards := shard.NewSet(old)
		inf := newInformer(shard.Source[*object](srv.Source(), shards))
		busy, released, tombstones := make(chan struct{}), make(chan struct{}), map[string]informer.Tombstone[*object]{}
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			UpdateFunc: func(_, _ *object) { close(busy); <-released },
			DeleteFunc: func(d informer.Tombstone[*object]) { tombstones[d.Key.String()] = d },
		}, informer.WithCoalescing())
		start(t, inf)
		synctest.Wait()
		leaving := contained(srv, old)
		updated, deleted := leaving[0], leaving[1]
		srv.Set(widget(strings.TrimPrefix(updated, "ns/"), "v", "2"))
		<-busy
		srv.Delete("ns", strings.TrimPrefix(deleted, "ns/"))
		synctest.Wait()
		if err := shards.Replace(t.Context(), next); err != nil {
			t.Fatal(err)
		}
		close(released)
		synctest.Wait()
		if got := slices.Sorted(maps.Keys(tombstones)); !slices.Equal(got, leaving) {
			t.Errorf("tombstones of %v, want those of %v", got, leaving)
		}
		for key, d := range tombstones {
			if d.SourceRemoved == (key == deleted) || !d.FinalStateUnknown {
				t.Errorf("%s: FinalStateUnknown %v, SourceRemoved %v", key, d.FinalStateUnknown, d.SourceRemoved)
			}
		}
	})
}
