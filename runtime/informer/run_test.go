// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// A run lasts until the last call of a handler has returned. Until then no second run calls that handler.
func TestRunIsRefusedUntilTheLastOneHasReturned(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		hold := make(chan struct{})
		calls, most := 0, 0
		inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) {
			calls++
			most = max(most, calls)
			<-hold
			calls--
		}}, opts...)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- inf.Run(ctx) }()
		synctest.Wait()
		cancel()
		synctest.Wait()
		if err := inf.Run(t.Context()); !errors.Is(err, informer.ErrRunning) {
			t.Errorf("a run that overlaps the last one got %v", err)
		}
		r := &recorder{}
		inf.AddEventHandler(r, opts...)
		expect(t, r, "")
		close(hold)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		start(t, inf)
		expect(t, r, "+a* +b*")
		if most != 1 {
			t.Errorf("the handler was in %d calls at once", most)
		}
	})
}

func TestHandlersWaitEndsWithTheInformer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := 0
		inf := newInformer(nil, informer.WithErrorHandler(func(error) { told++ }))
		reg := inf.AddEventHandler(&recorder{})
		if err := inf.Run(t.Context()); !errors.Is(err, informer.ErrNoSource) || told != 1 {
			t.Errorf("got %v; the error handler was told %d times", err, told)
		}
		if err := reg.WaitForSync(t.Context()); !errors.Is(err, informer.ErrNoSource) {
			t.Errorf("without a source: %v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(forbidden())
		reg := inf.AddEventHandler(&recorder{})
		stop := start(t, inf)
		synctest.Wait()
		stop()
		if err := reg.WaitForSync(t.Context()); !errors.Is(err, informer.ErrStopped) ||
			!strings.Contains(err.Error(), "forbidden") {
			t.Errorf("stopped: %v", err)
		}
	})
}

func TestErrorsOfTheStoreAreTheInformersWhileItRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		var told []string
		for _, name := range []string{"first", "second"} {
			srv := runtimetest.NewServer[*object]()
			srv.Set(widget(name))
			inf := informer.New(
				widgets,
				srv.Source(),
				s,
				informer.WithErrorHandler(func(error) { told = append(told, name) }),
			)
			stop := start(t, inf)
			synctest.Wait()
			if name == "first" {
				store.AddIndex(s, "broken", func([]string, *object) []string { panic("no") })
			}
			stop()
		}
		if got := strings.Join(told, " "); got != "first second" {
			t.Errorf("told: %s", got)
		}
	})
}

func TestResyncOfABusyHandler(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("idle"))
		inf := newInformer(srv)
		var resyncs atomic.Int64
		inf.AddEventHandler(informer.HandlerFuncs[*object]{UpdateFunc: func(_, o *object) {
			if o.Name == "idle" {
				resyncs.Add(1)
			}
			time.Sleep(time.Second)
		}}, append(opts, informer.WithResync(time.Minute))...)
		start(t, inf)
		synctest.Wait()
		for i := range 600 { // for ten minutes, there is always something to tell
			for _, name := range []string{"a", "b", "c"} {
				srv.Set(widget(name, "v", time.Duration(i).String()))
			}
			time.Sleep(time.Second)
		}
		if resyncs.Load() == 0 {
			t.Error("no resync in ten minutes, the period is a minute")
		}
	})
}

// Of two deletions of one name in a batch, one that finds nothing and one that does,
// the second tells the final state.
func TestTombstoneIsOfTheRightObject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		s := (&sourcetest.Script[*object]{NoWatchList: true}).
			Lists(sourcetest.Objects[*object]("1")).
			Watches(sourcetest.Stream(
				sourcetest.Added(versioned(widget("busy"), "2", "b")),
				sourcetest.Added(versioned(widget("busy2"), "3", "b2")),
				sourcetest.Await[*object](release),
				sourcetest.Send(sourcetest.Undecodable[*object]("ns", "a", errors.New("bad")), "4"),
				sourcetest.Deleted(versioned(widget("a", "v", "1"), "5", "u1")),
				sourcetest.Added(versioned(widget("a", "v", "2"), "6", "u2")),
				sourcetest.Deleted(versioned(widget("a", "v", "3"), "7", "u2")),
				sourcetest.Hang[*object](),
			))
		inf := informer.New(widgets, s.Source(), store.ForObjects[*object]())
		hold := make(chan struct{})
		var gone []types.UID
		inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc:    func(*object, bool) { <-hold },
			DeleteFunc: func(d informer.Tombstone[*object]) { gone = append(gone, d.Object.UID) },
		}, informer.WithBuffer(1))
		start(t, inf)
		synctest.Wait()
		close(release)
		synctest.Wait() // the rest waits in the queue, for one batch
		close(hold)
		synctest.Wait()
		if len(gone) != 1 || gone[0] != "u2" {
			t.Errorf("deleted %q, want u2", gone)
		}
	})
}

// While a handler is busy, an object is added, a resync comes due, and the object is deleted. The resync
// must not repeat the object. A handler that is always resyncing must still get other changes.
func TestResyncOfABusyCoalescingHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		r := &recorder{hold: make(chan struct{}, 100)}
		inf.AddEventHandler(r, informer.WithCoalescing(), informer.WithResync(time.Minute))
		start(t, inf)
		expect(t, r, "+a*")
		srv.Set(widget("b")) // waits for the call for a
		time.Sleep(90 * time.Second)
		srv.Set(widget("c"))
		synctest.Wait()
		r.hold <- struct{}{} // the next pass begins with the resync
		expect(t, r, "~a")
		srv.Delete("ns", "c")
		for range 3 {
			time.Sleep(2 * time.Minute)
			r.hold <- struct{}{}
			synctest.Wait()
		}
		srv.Set(widget("d"))
		for range 4 {
			time.Sleep(2 * time.Minute)
			r.hold <- struct{}{}
			synctest.Wait()
		}
		if got := r.got(); strings.Contains(got, "~c") || !strings.Contains(got, "-c") || !strings.Contains(got, "+d") {
			t.Errorf("got %q", got)
		}
		close(r.hold)
	})
}
