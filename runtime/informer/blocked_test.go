// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// The error of a wait for a handler of a synced informer describes the handler, not past errors of the
// informer.
func TestWaitForSyncOfAHandlerThatHangs(t *testing.T) {
	const of = " of informer of widgets.example.com/v1, which has synced, has not returned from the initial list: "
	begun := func(t *testing.T, opts ...informer.HandlerOption) (inf *informer.Informer[*object], reg *informer.Registration, h *recorder, stop func()) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
		inf, h = newInformer(srv), &recorder{hold: make(chan struct{})}
		reg = inf.AddEventHandler(h, opts...)
		stop = start(t, inf)
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		return inf, reg, h, stop
	}
	check := func(t *testing.T, err, is error, want string) {
		t.Helper()
		if !errors.Is(err, is) {
			t.Errorf("got %#v", err)
		}
		if err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
	for name, opts := range map[string][]informer.HandlerOption{
		"slow": {informer.WithHandlerName("slow")},
		"(a *informer_test.recorder; WithHandlerName names it)": {informer.WithCoalescing()},
	} {
		synctest.Test(t, func(t *testing.T) {
			_, reg, h, _ := begun(t, opts...)
			defer close(h.hold)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			check(t, reg.WaitForSync(ctx), context.DeadlineExceeded,
				"handler "+name+of+"context deadline exceeded; in a call for 1m0s, 1 pending")
		})
		synctest.Test(t, func(t *testing.T) {
			_, reg, h, _ := begun(t, opts...)
			reg.Remove()
			check(
				t,
				reg.WaitForSync(t.Context()),
				informer.ErrRemoved,
				"handler "+name+of+informer.ErrRemoved.Error(),
			)
			close(h.hold)
		})
		synctest.Test(t, func(t *testing.T) {
			inf, _, h, stop := begun(t)
			late := &recorder{}
			close(h.hold)
			stop()
			reg := inf.AddEventHandler(late, opts...)
			check(
				t,
				reg.WaitForSync(t.Context()),
				informer.ErrStopped,
				"handler "+name+of+informer.ErrStopped.Error()+"; 1 pending",
			)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		var reg *informer.Registration
		got := make(chan error, 1)
		reg = inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) {
			time.Sleep(time.Second)
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			got <- reg.WaitForSync(ctx)
		}}, informer.WithHandlerName("own"))
		start(t, inf)
		check(t, <-got, context.DeadlineExceeded,
			"handler own"+of+context.DeadlineExceeded.Error()+"; in a call for 2s, 1 pending")
	})
}

// A wait for what an informer does not read on to, since a lossless handler is in the way, says
// which informer that is, and which handler.
func TestWaitForSaysWhichHandlerBlocks(t *testing.T) {
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		return srv, nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		h := &recorder{hold: make(chan struct{})}
		inf.AddEventHandler(h, informer.WithBuffer(1), informer.WithHandlerName("slow"))
		start(t, inf)
		defer close(h.hold)
		var rv string
		for i := range 5 {
			synctest.Wait()
			rv = srv.Set(widget(fmt.Sprint("a", i)))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		err := wait(ctx, rv)
		const want = "handler slow blocks the informer: in a call for 1m0s, 2 pending"
		if text := fmt.Sprint(err); !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(text, want) ||
			strings.Count(text, "informer of widgets.example.com/v1: ") != 1 {
			t.Errorf("got  %v\nwant the informer once, and %s", err, want)
		}
	})
}

// So does a wait for an informer that has not synced, beside what it waits for.
func TestWaitForSyncSaysWhichHandlerBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		src, _ := ofParts(map[string]source.ListerWatcher[*object]{
			"late": &lateSource{srv.In("late"), 2 * time.Minute}, "prompt": srv,
		})
		inf := newInformer(src)
		h := &recorder{hold: make(chan struct{})}
		defer close(h.hold)
		inf.AddEventHandler(h, informer.WithBuffer(1), informer.WithHandlerName("slow"))
		start(t, inf)
		for i := range 5 {
			synctest.Wait()
			srv.Set(widget(fmt.Sprint("a", i)))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		const want = "; handler slow blocks the informer: in a call for 20s, 2 pending; source late: no error so far"
		if err := inf.WaitForSync(ctx); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got  %v\nwant …%s", err, want)
		}
	})
}
