// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// An error handler that ends its goroutine, as FailNow of package testing does, ends
// nothing of the informer's, whoever met the error.
func TestErrorHandlerEndsItsGoroutine(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		var told atomic.Int32
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("panics"))
		srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
		inf := newInformer(srv, informer.WithErrorHandler(func(error) {
			told.Add(1)
			runtime.Goexit()
		}))
		store.AddIndex(inf.Store(), "name", func(dst []string, o *object) []string {
			if o.Name == "not indexed" {
				panic("no")
			}
			return append(dst, o.Name)
		})
		rec := &recorder{}
		inf.AddHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, initial bool) {
			rec.OnAdd(o, initial)
			switch o.Name {
			case "panics":
				panic("no")
			case "exits":
				runtime.Goexit()
			}
		}}, opts...)
		stop := start(t, inf)
		time.Sleep(time.Minute)
		expect(t, rec, "+panics*")
		for n, step := range []struct {
			do   func()
			want string
			told int32 // by then
		}{
			{func() { srv.Set(widget("exits")) }, "+exits", 3},
			{func() { srv.Set(widget("not indexed")) }, "+not indexed", 4},
			{func() { srv.CutWatches(errors.New("no")); time.Sleep(time.Minute) }, "", 5},
			{func() { srv.Set(widget("last")) }, "+last", 5},
		} {
			step.do()
			expect(t, rec, step.want)
			if n := told.Load(); n != step.told {
				t.Errorf("%d errors were told, want %d", n, step.told)
			}
			if t.Failed() {
				t.Fatalf("step %d", n)
			}
		}
		stop()
	})
}

// An error handler that is told of a call of a handler is in that call: it may remove the
// handler, and learns that it cannot wait for it.
func TestErrorHandlerIsInTheCall(t *testing.T) {
	for name, end := range map[string]func(){"panic": func() { panic("no") }, "goexit": runtime.Goexit} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, opts ...informer.HandlerOption) {
				srv := runtimetest.NewServer[*object]()
				srv.Set(widget("a"))
				srv.Set(widget("b"))
				var reg *informer.Registration
				var got error
				inf := newInformer(srv, informer.WithErrorHandler(func(error) { got = reg.RemoveWait(context.Background()) }))
				rec := &recorder{}
				reg = inf.AddHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, initial bool) {
					rec.OnAdd(o, initial)
					end()
				}}, opts...)
				start(t, inf)
				expect(t, rec, "+a*")
				if !errors.Is(got, informer.ErrOwnCall) {
					t.Errorf("RemoveWait returned %v", got)
				}
				if err := reg.RemoveWait(t.Context()); err != nil {
					t.Errorf("RemoveWait elsewhere returned %v", err)
				}
			})
		})
	}
}
