// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// A resync that is due before the handler got the initial list repeats no object that was deleted meanwhile.
func TestResyncBeforeTheInitialListIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[*object]()
		for _, name := range []string{"a", "b", "c"} {
			server.Set(widget(name))
		}
		inf := newInformer(server)
		rec := &recorder{hold: make(chan struct{})}
		inf.AddEventHandler(rec, informer.WithCoalescing(), informer.WithResync(10*time.Second))
		start(t, inf)
		synctest.Wait() // in the first call
		time.Sleep(11 * time.Second)
		rec.hold <- struct{}{} // the resync is asked for before the second call
		synctest.Wait()
		server.Delete("ns", "c")
		server.Delete("ns", "b")
		synctest.Wait()
		close(rec.hold)
		synctest.Wait()
		if calls := rec.got(); calls != "+a* +b* +c* ~a -b? -c?" {
			t.Errorf("the calls are %v", calls)
		}
	})
}

// A coalescing handler has synced when it got the initial lists of all parts, even if objects of them
// changed meanwhile or a part was removed.
func TestCoalescingHandlerHasSyncedWhenToldAll(t *testing.T) {
	for _, removed := range []bool{false, true} {
		t.Run(fmt.Sprintf("removed=%v", removed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := runtimetest.NewServer[*object]()
				for i := range 5 {
					server.Set(widget(fmt.Sprint("a", i)))
				}
				other := (&sourcetest.Script[*object]{NoWatchList: true}).Lists(
					sourcetest.ListHang[*object](),
				)
				src, set := ofParts(map[string]source.ListerWatcher[*object]{"A": server, "B": other})
				inf := newInformer(src)
				rec := &recorder{hold: make(chan struct{})}
				reg := inf.AddEventHandler(rec, informer.WithCoalescing())
				start(t, inf)
				synctest.Wait() // in the first call
				if !removed {
					server.Set(widget("a4", "v", "1"))
					synctest.Wait()
				}
				if err := set.Replace(t.Context(), "A"); err != nil {
					t.Fatal(err)
				}
				rec.hold <- struct{}{}
				synctest.Wait()
				if reg.HasSynced() {
					t.Errorf("synced after the calls %v", rec.got())
				}
				close(rec.hold)
				synctest.Wait()
				if !reg.HasSynced() {
					t.Errorf("not synced after the calls %v", rec.got())
				}
			})
		})
	}
}

// An object that replaced another of its name is added in the state of the pass that tells of the deletion. What
// comes during that pass is told in the next, where objects come in no order.
func TestReplacedWhileTheDeletionIsTold(t *testing.T) {
	for name, test := range map[string]struct {
		then func(*runtimetest.Server[*object])
		want []string
	}{
		"nothing":           {func(*runtimetest.Server[*object]) {}, []string{"+a2"}},
		"updated":           {func(s *runtimetest.Server[*object]) { s.Set(widget("a", "v", "3")) }, []string{"+a2 ~a3"}},
		"deleted":           {func(s *runtimetest.Server[*object]) { s.Delete("ns", "a") }, []string{"+a2 -a2"}},
		"and created again": {func(s *runtimetest.Server[*object]) { s.Delete("ns", "a"); s.Set(widget("a", "v", "4")) }, []string{"+a2 -a2 +a4", "+a2 -a2? +a4"}},
		"before another": {func(s *runtimetest.Server[*object]) {
			s.Set(widget("b"))
			s.Set(widget("a", "v", "5"))
		}, []string{"+a2 +b ~a5", "+a2 ~a5 +b"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := runtimetest.NewServer[*object]()
				server.Set(widget("a", "v", "1"))
				inf := newInformer(server)
				rec := &recorder{hold: make(chan struct{})}
				inf.AddEventHandler(rec, informer.WithCoalescing())
				start(t, inf)
				synctest.Wait() // in the first call
				server.Delete("ns", "a")
				synctest.Wait() // in one batch, the deletion would have a final state
				server.Set(widget("a", "v", "2"))
				synctest.Wait()
				rec.hold <- struct{}{}
				expect(t, rec, "+a1* -a1?")
				test.then(server)
				synctest.Wait()
				stats := inf.Stats().Handlers[0]
				close(rec.hold)
				synctest.Wait()
				if got := rec.got(); !slices.Contains(test.want, got) {
					t.Errorf("got %q, want %q", got, test.want)
				}
				if n := len(strings.Fields(test.want[0])); stats.Pending < 1+n {
					t.Errorf("%d calls were pending, want the one under way and at least %d", stats.Pending, n)
				}
			})
		})
	}
}

// A resync that came due during the call for a deletion does not repeat the object that replaced the deleted one.
func TestResyncWhileTheDeletionIsTold(t *testing.T) {
	for _, gone := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			server := runtimetest.NewServer[*object]()
			server.Set(widget("a", "v", "1"))
			server.Set(widget("z"))
			inf := newInformer(server)
			rec := &recorder{hold: make(chan struct{})}
			inf.AddEventHandler(rec, informer.WithCoalescing(), informer.WithResync(10*time.Second))
			start(t, inf)
			synctest.Wait() // in the first call
			rec.hold <- struct{}{}
			synctest.Wait() // in the second
			server.Delete("ns", "a")
			server.Set(widget("a", "v", "2"))
			synctest.Wait()
			time.Sleep(11 * time.Second)
			rec.hold <- struct{}{} // a resync is asked for before the call that tells of the deletion
			expect(t, rec, "+a1* +z* -a1?")
			want := "+a2 ~z"
			if gone {
				server.Delete("ns", "a")
				want = "+a2 ~z -a2"
			}
			synctest.Wait()
			close(rec.hold)
			expect(t, rec, want)
		})
	}
}
