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
	"github.com/indexer-gen/indexer-gen/runtime/lister"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Waits for a store end with the factory that filled it, whether they begin before its end or after. A
// wait for a version that the store has reached succeeds.
func TestWaitsEndWithTheFactory(t *testing.T) {
	src := func(srv *runtimetest.Server[*object]) (source.ListerWatcher[*object], []informer.Option) {
		return srv, nil
	}
	each(t, src, func(t *testing.T, srv *runtimetest.Server[*object], inf *informer.Informer[*object], wait func(context.Context, string) error) {
		f := informer.NewFactory()
		_, release := informer.Share(f, func() *informer.Informer[*object] { return inf }).Use()
		f.Start(t.Context())
		defer f.Shutdown()
		if err := f.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		rv := srv.Set(in("a", "1"))
		before := begin(t, wait, "1000")
		before.lasts(t, "while it runs")
		release()
		before.ends(t, "it has stopped", informer.ErrStopped)
		begin(t, wait, "1000").ends(t, "it stopped before", informer.ErrStopped)
		begin(t, wait, rv).ends(t, "the store has it", nil)

		start(t, inf) // by somebody else
		synctest.Wait()
		again := begin(t, wait, "3")
		again.lasts(t, "while it runs again")
		srv.Set(in("a", "2"))
		again.ends(t, "when it has it", nil)
	})
}

// Waits for an informer end if its factory is shut down or every user has released it. The error does not
// ask to start the informer.
func TestWaitsEndWhenNothingWillBeRun(t *testing.T) {
	for name, end := range map[string]func(f *informer.Factory, release func()){
		"shut down":               func(f *informer.Factory, _ func()) { f.Shutdown() },
		"released":                func(_ *informer.Factory, release func()) { release() },
		"started, then shut down": func(f *informer.Factory, _ func()) { f.Start(context.Background()); f.Shutdown() },
		"started, then released":  func(f *informer.Factory, release func()) { f.Start(context.Background()); release() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hangs := &sourcetest.Script[*object]{NoWatchList: true}
				for range 100 {
					hangs.Lists(sourcetest.ListHang[*object]())
				}
				f := informer.NewFactory()
				defer f.Shutdown()
				shared := informer.Share(f, func() *informer.Informer[*object] { return newInformer(hangs) })
				inf, release := shared.Use()
				var all []pending
				for _, wait := range waiters(inf) {
					all = append(all, begin(t, wait, "5"))
				}
				synced := begin(
					t,
					func(ctx context.Context, _ string) error { return inf.WaitForSync(ctx) },
					"",
				)
				end(f, release)
				for _, p := range all {
					p.ends(t, name, informer.ErrStopped)
				}
				synced.ends(t, name, informer.ErrStopped)
				err := inf.WaitForSync(t.Context())
				if !errors.Is(err, informer.ErrStopped) || strings.Contains(err.Error(), "not started") ||
					errors.Is(inf.LastError(), informer.ErrNotStarted) {
					t.Errorf("got %v, and the last error is %v", err, inf.LastError())
				}
			})
		})
	}
}

// embedding is what emitted code makes of an informer.
type embedding struct{ *informer.Informer[*object] }

func TestAskedForAfterShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		f.Shutdown()
		srv := runtimetest.NewServer[*object]()
		inf := informer.Share(f, func() embedding { return embedding{newInformer(srv)} }).Get().Informer
		for name, wait := range waiters(inf) {
			begin(t, wait, "5").ends(t, name, informer.ErrStopped)
		}
		if err := inf.WaitForSync(t.Context()); !errors.Is(err, informer.ErrStopped) ||
			strings.Contains(err.Error(), "not started") {
			t.Errorf("got %v", err)
		}
		for range 100 { // always the same
			if err := f.WaitForSync(t.Context()); !errors.Is(err, informer.ErrShutdown) {
				t.Fatalf("got %v", err)
			}
		}
		start(t, inf) // by somebody else
		synctest.Wait()
		if err := inf.WaitForSync(t.Context()); err != nil {
			t.Error(err)
		}
		if inf.LastError() != nil {
			t.Error(inf.LastError())
		}
	})
}

// WaitForSync of a factory says that it was shut down, whatever its informers notice first.
func TestShutdownEndsTheWaitForAll(t *testing.T) {
	for range 100 {
		synctest.Test(t, func(t *testing.T) {
			f := informer.NewFactory()
			informer.Share(f, func() *informer.Informer[*object] {
				return newInformer(
					(&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.ListHang[*object]()),
				)
			}).Get()
			f.Start(t.Context())
			all := begin(t, func(ctx context.Context, _ string) error { return f.WaitForSync(ctx) }, "")
			f.Shutdown()
			all.ends(t, "it was shut down", informer.ErrShutdown)
		})
	}
}

// Every kind of wait for a store ends when its feeder is halted.
func TestHaltedStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := store.ForObjects[*object]()
		feeder := store.NewFeeder(s, nil)
		never := func(ctx context.Context, _ string) error {
			return s.Reader().WaitUntil(ctx, func(lister.Reader[*object]) bool { return false })
		}
		p := begin(t, never, "")
		time.Sleep(time.Minute)
		p.lasts(t, "while it is fed")
		why := errors.New("enough")
		feeder.Halt(why)
		p.ends(t, "when it is not", why)
		begin(t, never, "").ends(t, "when it was not before", why)
		feeder.Halt(nil)
		p = begin(t, never, "")
		p.lasts(t, "when it is again")
		feeder.Halt(why)
		p.ends(t, "at the end", why)
	})
}
