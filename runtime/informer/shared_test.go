// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/internal/sourcetest"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// TestLastUserReleases: an informer lives until its last user has released it.
func TestLastUserReleases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		f := informer.NewFactory()
		made := 0
		shared := informer.Share(f, func() *informer.Informer[*object] { made++; return newInformer(srv) })
		f.Start(t.Context())
		defer f.Shutdown()

		first, release := shared.Use()
		again, releaseAgain := shared.Use()
		if first != again || made != 1 {
			t.Fatalf("%d informers for two users", made)
		}
		if err := f.WaitForSync(t.Context()); err != nil {
			t.Fatal(err)
		}
		release()
		release()
		synctest.Wait()
		if rv := srv.Set(widget("b")); first.Store().Reader().WaitFor(t.Context(), rv) != nil {
			t.Error("one user has let go twice, and the other goes without")
		}
		requests := len(srv.Requests())
		releaseAgain()
		synctest.Wait()
		srv.Set(widget("c"))
		synctest.Wait()
		if _, ok := first.Store().Reader().Get(keyOf(widget("c"))); ok || len(srv.Requests()) != requests {
			t.Error("nobody needs the informer, and it follows the server")
		}
		if err := f.WaitForSync(t.Context()); err != nil {
			t.Errorf("nothing is to be waited for: %v", err)
		}
		second, release := shared.Use()
		defer release()
		if second == first || made != 2 {
			t.Errorf("%d informers were made; one that was released is used again", made)
		}
		if err := f.WaitForSync(t.Context()); err != nil || second.Store().Reader().Len() != 3 {
			t.Errorf("the next user has %d objects, %v", second.Store().Reader().Len(), err)
		}
		f.Shutdown()
		if err := second.Run(closed()); errors.Is(err, informer.ErrRunning) {
			t.Error("Shutdown has not waited")
		}
	})
}

func closed() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// TestGetKeeps: Get keeps the informer for as long as the factory.
func TestGetKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		shared := informer.Share(
			f,
			func() *informer.Informer[*object] { return newInformer(runtimetest.NewServer[*object]()) },
		)
		used, release := shared.Use()
		if shared.Get() != used {
			t.Error("they do not share")
		}
		f.Start(t.Context())
		release()
		synctest.Wait()
		if shared.Get() != used || !used.HasSynced() {
			t.Error("the informer was released though somebody keeps it")
		}
		f.Shutdown()
	})
}

// TestReleaseBeforeSync: WaitForSync of a factory does not wait for a released informer. A handler may
// release its own informer.
func TestReleaseBeforeSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		defer f.Shutdown()
		never := informer.Share(f, func() *informer.Informer[*object] {
			return newInformer(
				(&sourcetest.Script[*object]{NoWatchList: true}).Lists(sourcetest.ListHang[*object]()),
			)
		})
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		shared := informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv) })
		_, release := never.Use()
		inf, releaseInf := shared.Use()
		told := 0
		inf.AddEventHandler(
			informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { told++; releaseInf() }},
		)
		waited := make(chan error, 1)
		go func() { waited <- f.WaitForSync(t.Context()) }() // not even started
		synctest.Wait()
		f.Start(t.Context())
		synctest.Wait()
		select {
		case err := <-waited:
			t.Fatalf("one hangs, and the wait is over: %v", err)
		default:
		}
		release()
		if err := <-waited; err != nil {
			t.Error(err)
		}
		srv.Set(widget("b"))
		synctest.Wait()
		if told != 1 {
			t.Errorf("the handler was called %d times", told)
		}
	})
}

// TestUsersComeAndGo: many goroutines use and release an informer; each gets one that runs.
func TestUsersComeAndGo(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			srv := runtimetest.NewServer[*object]()
			f := informer.NewFactory()
			shared := informer.Share(f, func() *informer.Informer[*object] { return newInformer(srv) })
			f.Start(t.Context())
			var users sync.WaitGroup
			for user := range uint64(8) {
				users.Go(func() {
					rnd := rand.New(rand.NewPCG(seed, user))
					for range 30 {
						time.Sleep(time.Duration(rnd.IntN(5)) * time.Millisecond)
						inf, release := shared.Use()
						if err := inf.WaitForSync(t.Context()); err != nil {
							t.Error(err)
						}
						time.Sleep(time.Duration(rnd.IntN(5)) * time.Millisecond)
						if rv := srv.Set(widget("w")); inf.Store().Reader().WaitFor(t.Context(), rv) != nil {
							t.Error("the informer does not follow")
						}
						release()
					}
				})
			}
			users.Wait()
			synctest.Wait()
			requests := len(srv.Requests())
			srv.CutWatches(nil)
			time.Sleep(time.Minute)
			if len(srv.Requests()) != requests {
				t.Error("all have let go, and the server is asked for more")
			}
			f.Shutdown()
		})
	}
}

// If make panics, the next user calls it again.
func TestMakePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := informer.NewFactory()
		defer f.Shutdown()
		calls := 0
		shared := informer.Share(f, func() *informer.Informer[*object] {
			if calls++; calls <= 2 {
				panic("not yet")
			}
			return newInformer(runtimetest.NewServer[*object]())
		})
		fails := func(ask func()) {
			defer func() {
				if got := recover(); got != "not yet" {
					t.Errorf("who asks is told %v", got)
				}
			}()
			ask()
		}
		fails(func() { shared.Use() })
		fails(func() { shared.Get() })
		f.Start(t.Context())
		inf, release := shared.Use()
		if err := f.WaitForSync(t.Context()); err != nil || !inf.HasSynced() {
			t.Errorf("the informer is not run: %v", err)
		}
		release()
		synctest.Wait()
		if again, release := shared.Use(); again == inf {
			t.Error("an informer that was released is used again")
		} else {
			release()
		}
	})
}
