// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// How a handler keeps up: how much waits for it, for how long the oldest has, how long its
// calls take, and for how long it has kept the informer waiting.
func TestHandlerStats(t *testing.T) {
	for name, test := range map[string]struct {
		opts    []informer.HandlerOption
		calls   int
		blocked time.Duration
	}{
		"lossless":   {[]informer.HandlerOption{informer.WithBuffer(1)}, 3, 8 * time.Second},
		"coalescing": {[]informer.HandlerOption{informer.WithCoalescing()}, 2, 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				inf := newInformer(srv, informer.WithBatchSize(1), informer.WithErrorHandler(func(error) {}))
				hold := make(chan struct{})
				reg := inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, _ bool) {
					<-hold
					if o.Name == "bad" {
						panic("no")
					}
				}}, append(test.opts, informer.WithHandlerName("h"))...)
				start(t, inf)
				synctest.Wait()
				srv.Set(widget("a"))
				synctest.Wait()
				time.Sleep(2 * time.Second)
				srv.Set(widget("b"))
				synctest.Wait()
				if test.blocked > 0 { // "b" is one too many for the buffer: this waits in the queue
					srv.Set(widget("bad"))
				}
				synctest.Wait()
				time.Sleep(8 * time.Second)
				s := reg.Stats()
				if s.Name != "h" || !s.Synced || s.Pending != 2 || s.Oldest != 10*time.Second ||
					s.Calling != 10*time.Second ||
					s.Blocked != test.blocked ||
					s.Calls.Count() != 0 {
					t.Errorf("while it hangs: %+v", s)
				}
				close(hold)
				synctest.Wait()
				s = reg.Stats()
				panics := 0
				if test.blocked > 0 {
					panics = 1
				}
				if s.Pending != 0 || s.Oldest != 0 || s.Calling != 0 || s.Panics != panics ||
					s.Calls.Count() != uint64(test.calls) ||
					s.Blocked != test.blocked {
					t.Errorf("afterwards: %+v", s)
				}
				if s.Calls.Sum != 10*time.Second {
					t.Errorf("its calls took %v", s.Calls.Sum)
				}
			})
		})
	}
}

// An informer is among the statistics of its factory while it runs, and no longer.
func TestStatsOfAFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		f := informer.NewFactory()
		defer f.Shutdown()
		shared := informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv) })
		f.Start(t.Context())
		if n := len(f.Stats()); n != 0 {
			t.Errorf("%d informers before anybody has asked for one", n)
		}
		inf, release := shared.Use()
		inf.AddEventHandler(&recorder{}, informer.WithHandlerName("h"))
		synctest.Wait()
		if all := f.Stats(); len(all) != 1 || !all[0].Synced || all[0].Objects != 1 || all[0].Handlers[0].Name != "h" {
			t.Errorf("got %+v", all)
		}
		release()
		synctest.Wait()
		if all := f.Stats(); len(all) > 0 {
			t.Errorf("left of what was released: %+v", all)
		}
	})
}

// The options of an informer appear in its requests.
func TestOptionsReachTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		src := new(sourcetest.Script[*object]).Lists(sourcetest.Page("5", "more", sourcetest.Items(widget("a"))...), sourcetest.Page[*object]("5", ""))
		inf := newInformer(src, informer.WithReflector(reflector.Settings{FieldSelector: "spec.nodeName=n1", LabelSelector: "app=x", PageSize: 7, WatchTimeout: time.Minute, Consistent: true, NoWatchList: true}))
		stop := start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		reqs := src.Requests()
		if len(reqs) != 3 || !reqs[2].Watch {
			t.Fatalf("requests: %+v", reqs)
		}
		for n, r := range reqs {
			if r.Options.FieldSelector != "spec.nodeName=n1" || r.Options.LabelSelector != "app=x" {
				t.Errorf("request %d: %+v", n, r.Options)
			}
		}
		if o := reqs[0].Options; o.Limit != 7 || o.ResourceVersion != "" || o.SendInitialEvents != nil {
			t.Errorf("the first list: %+v", o)
		}
		if o := reqs[1].Options; o.Limit != 7 || o.Continue != "more" {
			t.Errorf("the second page: %+v", o)
		}
		if s := reqs[2].Options.TimeoutSeconds; s == nil || *s < 60 || *s > 120 {
			t.Errorf("the watch: %+v", reqs[2].Options)
		}
		stop()
	})
}

func TestLimitOfAListReachesTheReflector(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		page := sourcetest.Page("5", "more", sourcetest.Items(widget("a"), widget("b"))...)
		inf := newInformer(
			new(sourcetest.Script[*object]).Lists(page, sourcetest.Objects[*object]("6")),
			informer.WithReflector(reflector.Settings{MaxObjects: 1, NoWatchList: true}),
		)
		start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := inf.LastError(); !errors.Is(err, reflector.ErrEndlessList) {
			t.Errorf("the last error is %v", err)
		}
	})
}
