// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv, informer.WithBatchSize(2))
		slow := &recorder{hold: make(chan struct{})}
		fast, lazy := &recorder{}, &recorder{hold: make(chan struct{})}
		inf.AddEventHandler(slow, informer.WithBuffer(3))
		inf.AddEventHandler(fast)
		inf.AddEventHandler(lazy, informer.WithCoalescing())
		start(t, inf)
		synctest.Wait()
		for i := range 100 {
			srv.Set(widget("a", "v", fmt.Sprint(i)))
			synctest.Wait()
		}
		if n := len(strings.Fields(fast.got())); n < 4 || n > 6 {
			t.Errorf("%d changes went past a handler that blocks with a buffer of 3", n)
		}
		if rv := inf.Store().Reader().ResourceVersion(); rv == srv.ResourceVersion() {
			t.Error("the store has gone on")
		}
		close(slow.hold)
		synctest.Wait()
		if got := strings.Fields(slow.got()); len(got) != 100 || got[99] != "~a99" {
			t.Errorf("the slow handler was told %d changes of 100", len(got))
		}
		close(lazy.hold)
		expect(t, lazy, "+a0 ~a99")
	})
}

// TestRemovalEndsBackPressure: a blocked handler that is removed no longer delays the others.
func TestRemovalEndsBackPressure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		inf := newInformer(srv)
		slow, fast := &recorder{hold: make(chan struct{})}, &recorder{}
		reg := inf.AddEventHandler(slow, informer.WithBuffer(1))
		inf.AddEventHandler(fast)
		start(t, inf)
		synctest.Wait()
		for i := range 10 {
			srv.Set(widget("a", "v", fmt.Sprint(i)))
			synctest.Wait()
		}
		reg.Remove()
		synctest.Wait()
		if n := len(strings.Fields(fast.got())); n != 10 {
			t.Errorf("%d changes of 10", n)
		}
		waited := make(chan error, 2)
		go func() { waited <- reg.RemoveWait(t.Context()) }()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := reg.RemoveWait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("RemoveWait during a call got %v", err)
		}
		close(slow.hold)
		if err := <-waited; err != nil {
			t.Error(err)
		}
		expect(t, slow, "+a0")
	})
}

func TestHandlerRemovesItself(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		calls := 0
		var reg *informer.Registration
		reg = inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) {
			calls++
			reg.Remove()
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if err := reg.RemoveWait(ctx); err == nil {
				t.Error("RemoveWait did not wait for the call that it was made in")
			}
			inf.AddEventHandler(&recorder{})
		}}, opts...)
		start(t, inf)
		time.Sleep(time.Minute)
		synctest.Wait()
		if calls != 1 {
			t.Errorf("%d calls", calls)
		}
		if err := reg.RemoveWait(t.Context()); err != nil {
			t.Error(err)
		}
		if err := reg.WaitForSync(t.Context()); !errors.Is(err, informer.ErrRemoved) {
			t.Errorf("got %v", err)
		}
	})
}

func TestRemoveBeforeAndAfterRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		r := &recorder{}
		never := inf.AddEventHandler(r)
		if err := never.RemoveWait(t.Context()); err != nil {
			t.Error(err)
		}
		stop := start(t, inf)
		stop()
		after := inf.AddEventHandler(r)
		if err := after.RemoveWait(t.Context()); err != nil {
			t.Error(err)
		}
		expect(t, r, "")
	})
}

// TestRestart: the next run delivers the changes that were pending at the end of a run, in order.
func TestRestart(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		r := &recorder{hold: make(chan struct{})}
		reg := inf.AddEventHandler(r, opts...)
		stop := start(t, inf)
		synctest.Wait()
		srv.Set(widget("c"))
		synctest.Wait()
		go func() { time.Sleep(time.Second); r.hold <- struct{}{} }()
		stop() // waits for the call
		expect(t, r, "+a*")
		close(r.hold)
		expect(t, r, "") // the rest is not told while nothing runs
		if reg.HasSynced() {
			t.Error("synced")
		}
		late := &recorder{}
		inf.AddEventHandler(late, opts...)
		srv.Delete("ns", "b")
		start(t, inf)
		synctest.Wait()
		// A coalescing handler may have been slower than the list.
		coalesced := map[string]bool{"+b* -b? +c": len(opts) > 0}
		if got := r.got(); got != "+b* +c -b?" && !coalesced[got] {
			t.Errorf("got %q", got)
		}
		if !reg.HasSynced() {
			t.Error("not synced")
		}
		if got := late.got(); got != "+a* +b* +c* -b?" && !(len(opts) > 0 && got == "+a* +c*") {
			t.Errorf("the late handler got %q", got)
		}
	})
}

func TestRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(runtimetest.NewServer[*object]())
		start(t, inf)
		synctest.Wait()
		if err := inf.Run(t.Context()); !errors.Is(err, informer.ErrRunning) {
			t.Errorf("a second Run got %v", err)
		}
	})
}

func TestResync(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		inf := newInformer(srv)
		minute, never := &recorder{}, &recorder{}
		inf.AddEventHandler(minute, append(opts, informer.WithResync(time.Minute))...)
		inf.AddEventHandler(never, opts...)
		start(t, inf)
		expect(t, minute, "+a* +b*")
		expect(t, never, "+a* +b*")
		time.Sleep(time.Minute)
		expect(t, minute, "~a ~b")
		srv.Delete("ns", "a")
		time.Sleep(time.Minute)
		expect(t, minute, "-a ~b")
		expect(t, never, "-a")
		if n := len(srv.Requests()); n != 1 {
			t.Errorf("%d requests: a resync must not read from the server", n)
		}
	})
}

func TestPanicIsContained(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		var reported []error
		inf := newInformer(
			srv,
			informer.WithErrorHandler(func(err error) { reported = append(reported, err) }),
		)
		r := &recorder{}
		mine := errors.New("mine")
		reg := inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, initial bool) {
			r.OnAdd(o, initial)
			if o.Name == "a" {
				panic(mine)
			}
		}}, append(opts, informer.WithHandlerName("doubtful"))...)
		stop := start(t, inf)
		expect(t, r, "+a*")
		if !reg.HasSynced() {
			t.Error("not synced: the call that panicked does not count")
		}
		srv.Set(widget("b"))
		srv.Set(widget("c"))
		expect(t, r, "+b +c")
		var p *informer.PanicError
		if len(reported) != 1 || !errors.As(reported[0], &p) || !errors.Is(reported[0], mine) ||
			!strings.Contains(
				reported[0].Error(),
				"informer of widgets.example.com/v1: handler doubtful panicked: mine",
			) ||
			!strings.Contains(string(p.Stack), "handler_test.go") {
			t.Errorf("reported %v", reported)
		}
		if !errors.Is(inf.LastError(), mine) {
			t.Errorf("last error is %v", inf.LastError())
		}
		stop()
		if err := reg.RemoveWait(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// crashIfAsked is the program that TestPanicCrashes runs.
func crashIfAsked() {
	if os.Getenv("INFORMER_TEST_CRASH") == "" {
		return
	}
	srv := runtimetest.NewServer[*object]()
	srv.Set(widget("a"))
	inf := newInformer(srv)
	inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { culprit() }})
	_ = inf.Run(context.Background())
}

func culprit() { panic("nobody listens") }

func TestPanicCrashesIfNobodyIsTold(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "INFORMER_TEST_CRASH=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "panic: nobody listens") ||
		!strings.Contains(string(out), "culprit") {
		t.Errorf("got %v and\n%s", err, out)
	}
}

// TestHandlerAddedWhileABatchIsApplied: the handler gets the objects before the batch as its initial list, and then the
// batch, whether or not the store has published it.
func TestHandlerAddedWhileABatchIsApplied(t *testing.T) {
	for _, published := range []bool{false, true} {
		both(t, func(t *testing.T, opts ...informer.HandlerOption) {
			srv := runtimetest.NewServer[*object]()
			r := &recorder{}
			var inf *informer.Informer[*object]
			add := func() {
				inf.AddEventHandler(r, opts...)
				time.Sleep(time.Second) // the handler gets its initial list
			}
			s := store.ForObjects[*object](
				store.WithErrorHandler(func(error) { add() }),
			) // called once it is published
			store.AddIndex(s, "trigger", func(dst []string, o *object) []string {
				if o.Name == "trigger" {
					if published {
						panic("reported to the error handler")
					}
					add()
				}
				return dst
			})
			var told []error
			inf = informer.New(
				widgets,
				srv.Source(),
				s,
				informer.WithErrorHandler(func(err error) { told = append(told, err) }),
			)
			srv.Set(widget("before"))
			start(t, inf)
			synctest.Wait()
			srv.Set(widget("trigger"))
			expect(t, r, "+before*")
			after(time.Second)
			expect(t, r, "+trigger")
			srv.Set(widget("other"))
			expect(t, r, "+other")
			var failed *store.IndexError
			if published && (len(told) != 1 || !errors.As(told[0], &failed)) {
				t.Errorf("the informer's error handler was told %v", told)
			}
		})
	}
}

// TestCoalescingIsBounded: what comes and goes while a handler is busy leaves nothing.
func TestCoalescingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("known"))
		inf := newInformer(srv)
		r := &recorder{hold: make(chan struct{})}
		inf.AddEventHandler(r, informer.WithCoalescing())
		start(t, inf)
		synctest.Wait()
		round := func(n int) {
			for i := range n {
				srv.Set(widget(fmt.Sprint("unseen", i), "v", strings.Repeat("x", 1000)))
				srv.Delete("ns", fmt.Sprint("unseen", i))
				if i%100 == 0 {
					synctest.Wait()
					srv.Compact()
				}
			}
			synctest.Wait()
			srv.Compact()
		}
		round(1000)
		before := heap()
		round(20_000)
		if grown := heap() - before; grown > 2<<20 {
			t.Errorf("grown by %d bytes", grown)
		}
		srv.Delete("ns", "known")
		srv.Set(widget("known", "v", "2"))
		synctest.Wait() // both come while the handler is busy
		close(r.hold)
		expect(t, r, "+known* -known? +known2")
	})
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
