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
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// deaf is a source that does not heed its context.
type deaf struct {
	source.ListerWatcher[*object]
	hold chan struct{}
}

func (d deaf) Watch(context.Context, metav1.ListOptions, sourcetest.Sender[*object]) error {
	<-d.hold
	return nil
}

// A shutdown that takes too long says what it waits for: which informer, which handler, and
// for how long it has been in its call.
func TestShutdownNamesWhatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		hold := make(chan struct{})
		hangs := informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-hold }}
		f := informer.NewFactory()
		make := func(src source.ListerWatcher[*object], name string) *informer.Shared[*informer.Informer[*object]] {
			return informer.Share(
				f,
				func() *informer.Informer[*object] { return newInformer(src, informer.WithName(name)) },
			)
		}
		fine := make(srv, "fine").Get()
		fine.AddEventHandler(&recorder{})
		busy := make(srv, "busy").Get()
		busy.AddEventHandler(hangs, informer.WithHandlerName("audit"))
		removed := busy.AddEventHandler(hangs)
		released, release := make(srv, "released").Use()
		released.AddEventHandler(hangs, informer.WithHandlerName("late"))
		make(deaf{srv, hold}, "deaf").Get()
		f.Start(t.Context())
		synctest.Wait()
		removed.Remove()
		release()
		time.Sleep(2 * time.Minute)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := f.ShutdownContext(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || strings.Count(err.Error(), "informer of ") != 4 {
			t.Fatalf("ShutdownContext: %v", err)
		}
		for _, want := range []string{
			"context deadline exceeded; ",
			"informer of widgets.example.com/v1 (busy) has not ended: handler audit has been in a call for 3m0s",
			"informer of widgets.example.com/v1 (busy) has not ended: handler (a informer.HandlerFuncs[",
			"informer of widgets.example.com/v1 (released) has not ended: handler late has been in a call for 3m0s",
			"informer of widgets.example.com/v1 (deaf) has not ended: no handler is being called",
		} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("got %v\nwant %q in it", err, want)
			}
		}
		if strings.Contains(err.Error(), "fine") {
			t.Errorf("what has ended is named: %v", err)
		}
		close(hold)
		if err := f.ShutdownContext(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// A shutdown and a removal that need not wait succeed with a context that has ended.
func TestNothingToWaitFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		f := informer.NewFactory()
		inf := informer.Share(f, func() *informer.Informer[*object] {
			return newInformer(runtimetest.NewServer[*object]())
		}).Get()
		for range 50 { // a select that is ready twice chooses at random
			if err := inf.AddEventHandler(&recorder{}).RemoveWait(ended); err != nil {
				t.Fatalf("RemoveWait: %v", err)
			}
			if err := f.ShutdownContext(ended); err != nil {
				t.Fatalf("ShutdownContext: %v", err)
			}
			f.Start(t.Context())
		}
	})
}

// An informer that is run by the context that is meant for waiting ends with it, and says so
// if that was of no use.
func TestRunByAShortContext(t *testing.T) {
	for name, test := range map[string]struct {
		end   func(context.Context) (context.Context, context.CancelFunc)
		fails bool
		told  bool
	}{
		"deadline, nothing listed": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Minute)
		}, true, true},
		"deadline, listed": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			return context.WithTimeout(ctx, time.Minute)
		}, false, false},
		"canceled, nothing listed": {func(ctx context.Context) (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Minute, cancel)
			return ctx, cancel
		}, true, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := runtimetest.NewServer[*object]()
				if test.fails {
					for range 100 {
						srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
					}
				}
				var told []error
				f := informer.NewFactory()
				defer f.Shutdown()
				inf := informer.Share(f, func() *informer.Informer[*object] {
					return newInformer(srv, informer.WithErrorHandler(func(err error) {
						if strings.Contains(err.Error(), "pass a context that lasts") {
							told = append(told, err)
						}
					}))
				}).Get()
				ctx, cancel := test.end(t.Context())
				defer cancel()
				f.Start(ctx)
				time.Sleep(2 * time.Minute)
				synctest.Wait()
				if test.told != (len(told) == 1) ||
					len(told) == 1 && !strings.Contains(told[0].Error(), "forbidden") {
					t.Errorf("told %v", told)
				}
				if err := inf.LastError(); test.fails &&
					(strings.Contains(err.Error(), "pass a context that lasts") || !strings.Contains(err.Error(), "forbidden")) {
					t.Errorf("LastError: %v", err)
				}
			})
		})
	}
}
