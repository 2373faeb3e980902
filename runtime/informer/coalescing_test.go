// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// A resync that comes before the initial list has been told repeats nothing that the
// handler does not know: an object that has gone meanwhile it is never told of.
func TestResyncBeforeTheInitialListIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := runtimetest.NewServer[*object]()
		for _, name := range []string{"a", "b", "c"} {
			server.Set(widget(name))
		}
		inf := newInformer(server)
		rec := &recorder{hold: make(chan struct{})}
		inf.AddHandler(rec, informer.WithCoalescing(), informer.WithResync(10*time.Second))
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
		if calls := rec.got(); strings.Contains(calls, "c") || !strings.Contains(calls, "-b") {
			t.Errorf("the calls are %v: c was never known, and b was", calls)
		}
	})
}

// The initial list is over when it has been told, of all sources, also if what one of
// them has brought was changed meanwhile, or another has gone.
func TestCoalescingHandlerHasSyncedWhenToldAll(t *testing.T) {
	for _, removed := range []bool{false, true} {
		t.Run(fmt.Sprintf("removed=%v", removed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := runtimetest.NewServer[*object]()
				for i := range 5 {
					server.Set(widget(fmt.Sprint("a", i)))
				}
				other := (&runtimetest.Script[*object]{NoWatchList: true}).Lists(runtimetest.ListHang[*object]())
				inf := newInformer(nil)
				if _, err := inf.AddSource("A", server); err != nil {
					t.Fatal(err)
				}
				if _, err := inf.AddSource("B", other); err != nil {
					t.Fatal(err)
				}
				rec := &recorder{hold: make(chan struct{})}
				reg := inf.AddHandler(rec, informer.WithCoalescing())
				start(t, inf)
				synctest.Wait() // in the first call
				if !removed {
					server.Set(widget("a4", "v", "1"))
					synctest.Wait()
				}
				if err := inf.RemoveSource(t.Context(), "B"); err != nil {
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
