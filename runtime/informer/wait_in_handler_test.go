// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// A handler may call anything. If it waits for its own call, the wait ends with its context.
func TestOwnCall(t *testing.T) {
	for name, test := range map[string]func(t *testing.T, inf *informer.Informer[*object], reg *informer.Registration){
		"wait for its own removal": func(t *testing.T, inf *informer.Informer[*object], reg *informer.Registration) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := reg.RemoveWait(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("RemoveWait returned %v", err)
			}
			if n := len(inf.Stats().Handlers); n != 0 {
				t.Errorf("%d handlers are left", n)
			}
		},
		"wait for its own sync": func(t *testing.T, _ *informer.Informer[*object], reg *informer.Registration) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			err := reg.WaitForSync(ctx)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("WaitForSync returned %v", err)
			}
		},
		"wait for another handler's removal and sync": func(t *testing.T, inf *informer.Informer[*object], _ *informer.Registration) {
			other := inf.AddEventHandler(&recorder{})
			if err := other.WaitForSync(context.Background()); err != nil {
				t.Errorf("WaitForSync of another returned %v", err)
			}
			if err := other.RemoveWait(context.Background()); err != nil {
				t.Errorf("RemoveWait of another returned %v", err)
			}
		},
		"wait for the informer's sync, and read": func(t *testing.T, inf *informer.Informer[*object], _ *informer.Registration) {
			if err := inf.WaitForSync(context.Background()); err != nil {
				t.Errorf("WaitForSync of the informer returned %v", err)
			}
			if n := inf.Store().Reader().Len(); n != 2 {
				t.Errorf("%d objects", n)
			}
			if n := inf.Stats().Handlers[0].Pending; n != 2 {
				t.Errorf("%d calls pending, want this one and the next", n)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, opts ...informer.HandlerOption) {
				srv := runtimetest.NewServer[*object]()
				srv.Set(widget("a"))
				srv.Set(widget("b"))
				inf := newInformer(srv)
				called := false
				var reg *informer.Registration
				reg = inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) {
					if !called {
						called = true
						test(t, inf, reg)
					}
				}}, opts...)
				start(t, inf)
				time.Sleep(2 * time.Second)
				synctest.Wait()
				if !called {
					t.Error("the handler was not called")
				}
			})
		})
	}
}

// RemoveWait on another goroutine waits for the call.
func TestRemoveWaitOnAnotherGoroutine(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		hold := make(chan struct{})
		reg := inf.AddEventHandler(
			informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-hold }},
			opts...)
		start(t, inf)
		synctest.Wait()
		removed := make(chan error, 1)
		go func() { removed <- reg.RemoveWait(context.Background()) }()
		synctest.Wait()
		select {
		case err := <-removed:
			t.Errorf("RemoveWait returned %v while the call was going on", err)
		default:
		}
		close(hold)
		if err := <-removed; err != nil {
			t.Errorf("RemoveWait returned %v", err)
		}
	})
}

// While a handler waits for the store in a call, the store continues: always for a coalescing handler, and
// until its buffer is full for a lossless one. Then the wait lasts until its context ends.
func TestWaitForTheStoreInACall(t *testing.T) {
	for name, test := range map[string]struct {
		opts []informer.HandlerOption
		ends bool // the wait does, by itself
	}{
		"coalescing":             {[]informer.HandlerOption{informer.WithCoalescing()}, true},
		"lossless":               {nil, true},
		"lossless, with no room": {[]informer.HandlerOption{informer.WithBuffer(1)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				inf := newInformer(srv, informer.WithBatchSize(1))
				var got error
				started, log := make(chan struct{}), &recorder{}
				inf.AddEventHandler(informer.HandlerFuncs[*object]{
					AddFunc: func(o *object, initial bool) {
						if o.Name != "first" {
							log.OnAdd(o, initial)
							return
						}
						close(started)
						ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
						defer cancel()
						got = inf.Store().
							Reader().
							WaitUntil(ctx, func(r store.Reader[types.NamespacedName, *object]) bool { return r.Len() == 6 })
					},
				}, test.opts...)
				start(t, inf)
				synctest.Wait()
				srv.Set(widget("first"))
				<-started
				for _, name := range []string{"a", "b", "c", "d", "e"} {
					srv.Set(widget(name))
					synctest.Wait()
				}
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if test.ends && got != nil || !test.ends && !errors.Is(got, context.DeadlineExceeded) {
					t.Errorf("the wait ended with %v", got)
				}
				if n := len(strings.Fields(log.got())); n != 5 {
					t.Errorf("%d of 5 calls after it", n)
				}
			})
		})
	}
}
