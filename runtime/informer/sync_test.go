// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

func forbidden() *runtimetest.Server[*object] {
	srv := runtimetest.NewServer[*object]()
	for range 100 {
		srv.Fail(runtimetest.Forbidden("list", widgets.GroupResource()))
	}
	return srv
}

func TestWaitForSyncSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(forbidden(), informer.WithName("blue"))
		reg := inf.AddEventHandler(&recorder{})
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for _, wait := range []func(context.Context) error{inf.WaitForSync, reg.WaitForSync} {
			err := wait(ctx)
			var last *reflector.Error
			if !errors.Is(err, context.DeadlineExceeded) || !errors.As(err, &last) || !apierrors.IsForbidden(last) {
				t.Errorf("got %#v", err)
			}
			want := `^informer of widgets.example.com/v1 \(blue\) has not synced: context deadline exceeded; ` +
				`last error, \d+s ago: list: widgets.example.com is forbidden: User "u" cannot list resource "widgets"; ` +
				`grant the verbs list and watch, or read only namespaces in which they are granted$`
			if !regexp.MustCompile(want).MatchString(err.Error()) {
				t.Errorf("got  %s\nwant %s", err, want)
			}
		}
	})
}

func TestWaitForSyncEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		idle := newInformer(runtimetest.NewServer[*object]())
		if err := idle.WaitForSync(ctx); !errors.Is(err, informer.ErrNotStarted) {
			t.Errorf("an informer that was not started: %v", err)
		}

		stopped := newInformer(forbidden())
		stop := start(t, stopped)
		waited := make(chan error, 1)
		go func() { waited <- stopped.WaitForSync(context.Background()) }()
		synctest.Wait()
		stop()
		if err := <-waited; !errors.Is(err, informer.ErrStopped) ||
			!apierrors.IsForbidden(errors.Unwrap(stopped.LastError())) &&
				!strings.Contains(err.Error(), "forbidden") {
			t.Errorf("an informer that was stopped: %v", err)
		}

		none := newInformer(nil)
		if err := none.Run(context.Background()); !errors.Is(err, informer.ErrNoSource) {
			t.Errorf("an informer without source: %v", err)
		}
		if err := none.WaitForSync(context.Background()); !errors.Is(err, informer.ErrNoSource) ||
			strings.Count(err.Error(), "no source") != 1 {
			t.Errorf("an informer without source: %v", err)
		}
	})
}

// TestWaitForSyncSaysWhatItIsAt has a server that neither answers nor fails.
func TestWaitForSyncSaysWhatItIsAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inf := newInformer(
			(&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.ListHang[*object]()),
		)
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		const want = "informer of widgets.example.com/v1 has not synced: context deadline exceeded; listing; no error so far"
		if err := inf.WaitForSync(ctx); err == nil || err.Error() != want {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	})
}

// TestStartedIsStarted looks at informers before the goroutines that run them have begun.
func TestStartedIsStarted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		get := func() *informer.Informer[*object] {
			return informer.Share(f, func() *informer.Informer[*object] { return newInformer(runtimetest.NewServer[*object]()) }).
				Get()
		}
		early := get()
		f.Start(t.Context())
		late := get()
		for _, inf := range []*informer.Informer[*object]{early, late} {
			if err := inf.LastError(); err != nil {
				t.Error(err)
			}
		}
		f.Shutdown()
	})
}

func TestFactoryRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		get := informer.Share(
			f,
			func() *informer.Informer[*object] { return newInformer(runtimetest.NewServer[*object]()) },
		).Get
		get()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- f.Run(ctx) }()
		if err := get().WaitForSync(ctx); err != nil {
			t.Error(err)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if err := get().Run(ctx); err != nil { // it would say that it is running
			t.Errorf("the factory has not waited: %v", err)
		}
	})
}

func TestFactory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		made := 0
		once := func(srv *runtimetest.Server[*object]) func() *informer.Informer[*object] {
			return informer.Share(
				f,
				func() *informer.Informer[*object] { made++; return newInformer(srv) },
			).Get
		}
		early, late, never := runtimetest.NewServer[*object](), runtimetest.NewServer[*object](), runtimetest.NewServer[*object]()
		getEarly, getLate, getNever := once(early), once(late), once(never)
		if getEarly() != getEarly() || made != 1 {
			t.Errorf("made %d", made)
		}
		f.Start(t.Context())
		f.Start(t.Context())
		if err := f.WaitForSync(t.Context()); err != nil {
			t.Error(err)
		}
		getLate()
		if err := f.WaitForSync(t.Context()); err != nil || !getLate().HasSynced() {
			t.Error("what was asked for after the start was not started:", err)
		}
		if n, m := len(early.Requests()), len(late.Requests()); n != 1 || m != 1 {
			t.Errorf("%d and %d requests", n, m)
		}
		f.Shutdown()
		f.Shutdown()
		f.Start(t.Context())
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if err := getLate().Run(over); errors.Is(err, informer.ErrRunning) {
			t.Error("still running after Shutdown")
		}
		getNever()
		if err := f.WaitForSync(context.Background()); !errors.Is(err, informer.ErrShutdown) ||
			!errors.Is(err, informer.ErrStopped) ||
			errors.Is(err, informer.ErrNotStarted) {
			t.Errorf("waiting after Shutdown got %v", err)
		}
	}) // which fails if a goroutine is left
}

func TestFactoryNamesWhoIsMissing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		informer.Share(f, func() *informer.Informer[*object] { return newInformer(runtimetest.NewServer[*object]()) }).Get()
		informer.Share(f, func() *informer.Informer[*object] { return newInformer(forbidden(), informer.WithName("one")) }).Get()
		informer.Share(f, func() *informer.Informer[*object] { return newInformer(nil, informer.WithName("two")) }).Get()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		f.Start(t.Context())
		err := f.WaitForSync(ctx)
		f.Shutdown()
		for _, part := range []string{"(one) has not synced", "forbidden", "(two) has not synced", "no source"} {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%v does not say %q", err, part)
			}
		}
		if err != nil && strings.Count(err.Error(), "has not synced") != 2 {
			t.Errorf("%v names who is not missing", err)
		}
	})
}

func TestFactoryStopsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		get := informer.Share(f, func() *informer.Informer[*object] { return newInformer(forbidden()) }).Get
		ctx, cancel := context.WithCancel(t.Context())
		get()
		f.Start(ctx)
		synctest.Wait()
		cancel()
		if err := f.WaitForSync(context.Background()); !errors.Is(err, informer.ErrStopped) {
			t.Errorf("got %v", err)
		}
		f.Shutdown()
	})
}

func TestFactoryShutdownDoesNotWaitForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		f := informer.NewFactory()
		inf := informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv) }).Get()
		hold := make(chan struct{})
		inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-hold }})
		f.Start(t.Context())
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := f.ShutdownContext(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("with a handler that hangs: %v", err)
		}
		close(hold)
		if err := f.ShutdownContext(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// Whether or not its run has begun, an informer without a source says that, and that alone.
func TestMissingSourceIsAllThatIsSaid(t *testing.T) {
	err := newInformer(nil).WaitForSync(t.Context())
	if want := "informer of widgets.example.com/v1 has not synced: " + informer.ErrNoSource.Error(); err == nil ||
		err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

// What a server says fits into the error of the wait.
func TestWaitForSyncTruncatesWhatTheServerSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		status := apierrors.NewForbidden(
			widgets.GroupResource(),
			"",
			errors.New(strings.Repeat("\x1b[2J\n", 1<<20)),
		)
		for range 100 {
			srv.Fail(status)
		}
		inf := newInformer(srv)
		start(t, inf)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		err := inf.WaitForSync(ctx)
		if text := err.Error(); !apierrors.IsForbidden(err) || len(text) > 5000 ||
			strings.ContainsAny(text, "\x1b\n") {
			t.Errorf("%d bytes: %.500q", len(text), text)
		}
	})
}
