// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// watching counts how often a query fires.
type watching struct {
	q      store.Query[string, *item]
	fired  atomic.Int64
	answer atomic.Pointer[[]*item]
}

func (w *watching) run(ctx context.Context, r store.Reader[string, *item]) {
	for now := range w.q.Watch(ctx, r) {
		answer := sorted(w.q.Get(now))
		w.answer.Store(&answer)
		w.fired.Add(1)
	}
}

func TestWatchFiresWhenTheAnswerMayChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture()
		app1, _ := labels.Parse("app=1")
		ws := map[string]*watching{
			"value":    {q: f.byNode.Equal("n1")},
			"any":      {q: f.byNode.In("n1", "n2")},
			"all":      {q: store.AllOf(f.byNode.Equal("n1"), f.byLabel.Equal("l"))},
			"except":   {q: f.byNode.Equal("n1").Except(f.byLabel.Equal("l"))},
			"span":     {q: f.byAge.Within(store.AtLeast(3))},
			"selector": {q: store.Matching[string, *item](app1)},
			"zero":     {},
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var wg sync.WaitGroup
		for _, w := range ws {
			wg.Go(func() { w.run(ctx, f.Reader()) })
		}
		wake := func(why string, fires ...string) {
			t.Helper()
			synctest.Wait()
			for name, w := range ws {
				want := slices.Contains(fires, name)
				if got := w.fired.Swap(0) > 0; got != want {
					// A selector is over everything: it may fire for any write.
					if !got || name != "selector" {
						t.Errorf("%s: %s fired: %v", why, name, got)
					}
				}
				if now := sorted(w.q.Get(f.Reader())); !slices.Equal(*w.answer.Load(), now) {
					t.Errorf("%s: %s last saw %v, but it is %v", why, name, *w.answer.Load(), now)
				}
			}
		}
		wake("the beginning", "value", "any", "all", "except", "span", "selector", "zero")
		f.Set(&item{key: "else", node: "n9", age: -1})
		// A signal that was registered since the last write fires at the next one.
		synctest.Wait()
		for _, w := range ws {
			w.fired.Store(0)
		}
		f.Set(&item{key: "else", node: "n8", age: -1})
		wake("another value")
		f.Set(&item{key: "x", node: "n1", age: -1})
		wake("one comes", "value", "any", "all", "except")
		f.Set(&item{key: "x", node: "n1", age: -1, rev: 1})
		wake("it is written", "value", "any", "all", "except")
		f.Set(&item{key: "x", node: "n2", age: 7})
		wake("it moves", "value", "any", "all", "except", "span")
		var b store.Batch[string, *item]
		b.Delete("else")
		b.Delete("x")
		f.Apply(&b)
		wake("it goes, in a batch", "any", "span")
		f.Replace([]*item{{key: "y", node: "n1", age: 5}}, "1")
		wake("a list", "value", "any", "all", "except", "span")
		cancel()
		wg.Wait()
	})
}

func TestWatchEndsAndLeavesNothing(t *testing.T) {
	f := newFixture()
	next := item{key: "k"}
	f.Set(&next)
	before := testing.AllocsPerRun(100, func() { f.Set(&next) })
	r := f.Reader()
	for range f.byNode.Watch(t.Context(), r, "n1") {
		break
	}
	n := 0
	for range f.byNode.Watch(t.Context(), r.Snapshot(), "n1") {
		n++ // a snapshot does not change: once, and the end
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range f.byNode.Watch(ctx, r, "n1") {
		n++
		cancel()
	}
	if n != 2 {
		t.Errorf("%d turns, want one each", n)
	}
	if got := testing.AllocsPerRun(100, func() { f.Set(&next) }); got != before {
		t.Errorf("a write costs %v allocations after the watchers have gone, before they came %v", got, before)
	}
}

// A watcher does not miss a write that began before the watch and is published after its first
// snapshot.
func TestWatchSeesAWriteUnderWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.New(func(it *item) string { return it.key })
		release := make(chan struct{})
		byNode := store.AddIndex(s, "node", func(dst []string, it *item) []string {
			<-release
			return append(dst, it.node)
		})
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		wg.Go(func() { s.Set(&item{key: "k", node: "n"}) })
		synctest.Wait()
		var counts []int
		wg.Go(func() {
			for r := range byNode.Watch(ctx, s.Reader(), "n") {
				counts = append(counts, byNode.Count(r, "n"))
			}
		})
		synctest.Wait()
		close(release)
		synctest.Wait()
		cancel()
		wg.Wait()
		if !slices.Equal(counts, []int{0, 1}) {
			t.Errorf("saw %v", counts)
		}
	})
}

// A watch that begins beside writers misses none of them.
func TestWatchMissesNothing(t *testing.T) {
	f := newFixture()
	const writes = 2000
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			last := -1
			for last < writes-1 && ctx.Err() == nil {
				for r := range f.byNode.Watch(ctx, f.Reader(), "n") {
					for it := range f.byNode.Get(r, "n") {
						last = it.rev
					}
					if last == writes-1 || last%(7+w) == 0 {
						break // come again
					}
				}
			}
			if last != writes-1 {
				t.Errorf("watcher %d saw revision %d last, want %d", w, last, writes-1)
			}
		})
	}
	for i := range writes {
		if i%2 == 0 {
			f.Set(&item{key: "k", node: "n", rev: i})
			continue
		}
		var b store.Batch[string, *item]
		b.Set(&item{key: "k", node: "n", rev: i})
		b.Set(&item{key: fmt.Sprint("other", i), node: "m"})
		f.Apply(&b)
	}
	wg.Wait()
}

// A watch of a query over another store's index fires at each write to this store.
func TestWatchWithAnIndexOfAnotherStore(t *testing.T) {
	ordered := func(s *store.Store[string, *item]) store.Ordered[string, *item, string] {
		return store.AddOrdered(s, "node", nodeOf, strings.Compare)
	}
	for name, query := range map[string]func(other *store.Store[string, *item]) store.Query[string, *item]{
		"a value": func(o *store.Store[string, *item]) store.Query[string, *item] {
			return store.AddIndex(o, "node", nodeOf).Equal("n")
		},
		"a span": func(o *store.Store[string, *item]) store.Query[string, *item] {
			return ordered(o).Within(store.AtLeast("n"))
		},
		"one of two": func(o *store.Store[string, *item]) store.Query[string, *item] {
			return store.AllOf(ordered(o).Equal("n"), store.AllOf[string, *item]())
		},
		"any of two": func(o *store.Store[string, *item]) store.Query[string, *item] {
			return store.AnyOf(ordered(o).Equal("m"), ordered(o).Equal("n"))
		},
		"all but some": func(o *store.Store[string, *item]) store.Query[string, *item] {
			return ordered(o).Equal("n").Except(ordered(o).Equal("m"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, other := newFixture(), newFixture()
				q := query(other.Store)
				ctx, cancel := context.WithCancel(t.Context())
				var counts []int
				ended := make(chan struct{})
				go func() {
					defer close(ended)
					for r := range q.Watch(ctx, s.Reader()) {
						counts = append(counts, q.Count(r))
					}
				}()
				synctest.Wait()
				for i := range 3 {
					_ = other.Set(&item{key: fmt.Sprint(i), node: "n"})
					synctest.Wait()
				}
				_ = s.Set(&item{key: "x", node: "n"})
				synctest.Wait()
				s.Delete("x")
				synctest.Wait()
				cancel()
				<-ended
				if !slices.Equal(slices.Compact(counts), []int{0, 1, 0}) {
					t.Errorf("the watcher has seen %v", counts)
				}
			})
		})
	}
}

// A watch also fires when the repair of an index removes an object from the value, although the
// index function did not return it.
func TestWatchOfWhatIsRepaired(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newUnordered()
		o := &item{key: "a", node: "one"}
		f.Set(o)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		count := -1
		go func() {
			for r := range f.byNode.Watch(ctx, f.Reader(), "one") {
				count = f.byNode.Count(r, "one")
			}
		}()
		synctest.Wait()
		f.Set(&item{key: "other", node: "elsewhere"}) // the first write after a beginning wakes all
		synctest.Wait()
		o.node = "two" // somebody writes to a cached object
		f.Set(&item{key: "a", node: "three"})
		synctest.Wait()
		if count != 0 {
			t.Errorf("the watcher of a value that was left counts %d", count)
		}
	})
}

// A query may use an index of another store, with more values than a leaf of a trie has.
func TestQueryWithAnIndexOfAnotherStore(t *testing.T) {
	s, other := newFixture(), newFixture()
	for i := range 1000 {
		_ = s.Set(&item{key: fmt.Sprint(i), node: fmt.Sprint("n", i)})
	}
	for i := range 1000 {
		if n := other.byNode.Equal(fmt.Sprint("n", i)).Count(s.Reader()); n != 1 {
			t.Fatalf("%d objects under n%d, want 1", n, i)
		}
	}
}
