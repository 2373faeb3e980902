// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// Users come and go while a factory is started and shut down, once by one of its own handlers. Every
// wait ends, every user has an informer that runs while the factory does, and no handler is called after
// Shutdown has returned.
func TestFactoryOfManyUsers(t *testing.T) {
	withSeeds(t, 60, 10, 6, manyUsers)
}

func manyUsers(t *testing.T, rnd *rand.Rand) {
	srv := runtimetest.NewServer[*object]()
	srv.Set(widget("a"))
	var (
		mu   sync.Mutex
		down bool
	)
	number := func(n int) int {
		mu.Lock()
		defer mu.Unlock()
		return rnd.IntN(n)
	}
	isDown := func() bool {
		mu.Lock()
		defer mu.Unlock()
		return down
	}
	factory := informer.NewFactory()
	shutdown := func(ctx context.Context) error {
		err := factory.ShutdownContext(ctx)
		mu.Lock()
		defer mu.Unlock()
		down = down || err == nil
		return err
	}
	var kinds []*informer.Shared[*informer.Informer[*object]]
	for range 3 {
		delay := someDelay(rnd)
		kinds = append(kinds, informer.Share(factory, func() *informer.Informer[*object] {
			return newInformer(tardy{srv.In(""), delay}, informer.WithErrorHandler(func(error) {}))
		}))
	}
	handle := func(inf *informer.Informer[*object]) *informer.Registration {
		called := func() {
			if isDown() {
				t.Error("a handler is called after Shutdown")
			}
			time.Sleep(time.Duration(number(3)) * time.Millisecond)
			if number(40) == 0 {
				ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
				defer cancel()
				if err := shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("a handler has shut down the factory that calls it: %v", err)
				}
			}
		}
		opts := []informer.HandlerOption{informer.WithResync(time.Duration(1+number(5)) * time.Millisecond)}
		if number(2) == 0 {
			opts = append(opts, informer.WithCoalescing())
		}
		return inf.AddEventHandler(informer.HandlerFuncs[*object]{
			AddFunc: func(*object, bool) { called() }, UpdateFunc: func(_, _ *object) { called() },
			DeleteFunc: func(informer.Tombstone[*object]) { called() },
		}, opts...)
	}
	answered := func(err error) {
		if err != nil && !errors.Is(err, informer.ErrStopped) && !errors.Is(err, informer.ErrShutdown) &&
			!errors.Is(err, informer.ErrRemoved) {
			t.Errorf("a wait was answered by %v", err)
		}
	}
	long, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	var users sync.WaitGroup
	for range 6 {
		users.Go(func() {
			for range 15 {
				time.Sleep(time.Duration(number(4)) * time.Millisecond)
				kind := kinds[number(len(kinds))]
				switch number(8) {
				case 0:
					factory.Start(context.Background())
				case 1:
					srv.Set(widget(fmt.Sprint("w", number(3))))
				case 2:
					if number(12) == 0 {
						answered(shutdown(long))
					}
				case 3:
					if number(8) == 0 {
						handle(kind.Get())
					}
				default:
					inf, release := kind.Use()
					reg := handle(inf)
					if number(2) == 0 {
						users.Go(func() { answered(reg.WaitForSync(long)) })
						users.Go(func() { answered(inf.WaitForSync(long)) })
						users.Go(func() { answered(factory.WaitForSync(long)) })
					}
					time.Sleep(time.Duration(number(10)) * time.Millisecond)
					if number(2) == 0 {
						answered(reg.RemoveWait(long))
					}
					release()
				}
			}
		})
	}
	if number(2) == 0 {
		factory.Start(context.Background())
	}
	time.Sleep(time.Second)
	if err := shutdown(long); err != nil {
		t.Error(err)
	}
	users.Wait()
	if long.Err() != nil {
		t.Error("somebody has waited for an hour")
	}
}
