// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// After a source has been restored from a backup and written to, a UID and a version
// may stand for another state than before.
func TestListHealsAForkedHistory(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		s := (&sourcetest.Script[*object]{NoWatchList: true}).
			Lists(sourcetest.Objects("110", versioned(widget("x", "v", "A"), "101", "u"), versioned(widget("y"), "102", "y")),
				sourcetest.Objects("120", versioned(widget("x", "v", "B"), "101", "u"), versioned(widget("y"), "102", "y")),
			).
			Watches(sourcetest.Stream(sourcetest.Sleep[*object](time.Second), sourcetest.Break[*object](runtimetest.Expired())))
		inf := informer.New(widgets, s.Source(), store.ForObjects[*object]())
		r := &recorder{}
		inf.AddEventHandler(r, opts...)
		start(t, inf)
		expect(t, r, "+xA* +y*")
		time.Sleep(time.Minute)
		expect(t, r, "~xB")
		if x, _ := inf.Store().Reader().Get(types.NamespacedName{Namespace: "ns", Name: "x"}); x.Labels["v"] != "B" {
			t.Errorf("the store has %q", x.Labels["v"])
		}
	})
}

func TestListRepairsWhatSomebodyHasWrittenToTheStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("x", "v", "1"))
		inf := newInformer(srv)
		start(t, inf)
		synctest.Wait()
		key := types.NamespacedName{Namespace: "ns", Name: "x"}
		x, _ := inf.Store().Reader().Get(key)
		x.Labels["v"] = "written by a handler"
		srv.Skip(1)
		srv.Compact()
		srv.CutWatches(nil)
		time.Sleep(time.Minute)
		if x, _ := inf.Store().Reader().Get(key); x.Labels["v"] != "1" {
			t.Errorf("after a list, the store has %q", x.Labels["v"])
		}
	})
}

// A server that has gone back accepts a watch at a version that is yet to come.
func TestServerThatHasGoneBackIsReadAgain(t *testing.T) {
	for _, watchList := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			srv.Set(widget("kept"))
			inf := newInformer(srv, informer.WithReflector(reflector.Settings{NoWatchList: !watchList}))
			stop := start(t, inf)
			srv.Skip(100)
			lost := srv.Set(widget("lost"))
			if err := inf.Store().Reader().WaitFor(t.Context(), lost); err != nil {
				t.Fatal(err)
			}
			rewound := make(chan error, 1)
			go func() { rewound <- inf.Store().Reader().WaitFor(t.Context(), "1000") }()
			synctest.Wait()
			srv.Rewind(2)
			srv.Delete("ns", "lost")
			if err := <-rewound; !errors.Is(err, store.ErrRewound) {
				t.Errorf("who waited was told %v", err)
			}
			synctest.Wait()
			if n := inf.Store().Reader().Len(); n != 1 {
				t.Errorf("WatchList %v: %d objects", watchList, n)
			}

			// While the informer does not run, it happens again.
			srv.Skip(100)
			if err := inf.Store().Reader().WaitFor(t.Context(), srv.Set(widget("lost again"))); err != nil {
				t.Fatal(err)
			}
			stop()
			srv.Rewind(3)
			srv.Delete("ns", "lost again")
			start(t, inf)
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			if err := inf.Store().Reader().WaitUntil(ctx, func(r store.Reader[types.NamespacedName, *object]) bool { return r.Len() == 1 }); err != nil {
				t.Errorf("WatchList %v: run again: %v; last error %v", watchList, err, inf.LastError())
			}
		})
	}
}

func TestCutsListNothingAndCostLittle(t *testing.T) {
	for _, cut := range []error{nil, io.ErrUnexpectedEOF} {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			srv.NoWatchList = true
			inf := newInformer(srv)
			start(t, inf)
			synctest.Wait()
			for range 100 {
				time.Sleep(5 * time.Second)
				srv.CutWatches(cut)
				began := time.Now()
				if err := inf.Store().Reader().WaitFor(t.Context(), srv.Set(widget("a"))); err != nil {
					t.Fatal(err)
				}
				if blind := time.Since(began); blind > 2*time.Second {
					t.Fatalf("cut with %v: blind for %v", cut, blind)
				}
			}
			lists := 0
			for _, r := range srv.Requests() {
				if !r.Watch && r.Options.Limit != 1 {
					lists++
				}
			}
			if lists > 1 {
				t.Errorf("cut with %v: %d lists", cut, lists)
			}
		})
	}
}

// The store follows the source while a slow handler gets the changes of a list.
func TestSlowHandlerDoesNotStopTheStoreForAList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		for i := range 5000 {
			srv.Set(widget(fmt.Sprint("w", i)))
		}
		inf := newInformer(srv)
		var calls atomic.Int64
		inf.AddEventHandler(
			informer.HandlerFuncs[*object]{
				AddFunc: func(*object, bool) { calls.Add(1); time.Sleep(10 * time.Millisecond) },
			},
		)
		start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := inf.Store().Reader().WaitFor(t.Context(), srv.Set(widget("new"))); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("the store saw a write after %v", took)
		}
		time.Sleep(time.Minute)
		if n := calls.Load(); n != 5001 {
			t.Errorf("%d calls", n)
		}
	})
}

func TestSharedServerAndEdits(t *testing.T) {
	srv := runtimetest.NewServer[*object]()
	for i := range 100 {
		srv.Set(widget(fmt.Sprint("w", i), "v", "1"))
	}
	edit := func(o *object) (*object, error) {
		o.GetLabels()["v"] = "edited"
		return o, nil
	}
	a := newInformer(source.Map(source.Own(srv.Source()), edit))
	b := newInformer(source.Map(source.Own(srv.Source()), edit))
	for _, i := range []*informer.Informer[*object]{a, b} {
		start(t, i)
	}
	for _, i := range []*informer.Informer[*object]{a, b} {
		if err := i.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	plain := newInformer(srv)
	start(t, plain)
	if err := plain.WaitForSync(t.Context()); err != nil {
		t.Fatal(err)
	}
	for o := range plain.Store().Reader().All() {
		if o.Labels["v"] != "1" {
			t.Fatalf("the server has what an informer made of %s", o.Name)
		}
	}
}
