// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The source that an informer was made with is waited for as any other is: while another is
// faster, and until it is removed.
func TestWaitForTheSourceWithoutAName(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := new(runtimetest.Script[*object]).Watches(runtimetest.Stream(
			runtimetest.Sleep[*object](
				5*time.Second,
			),
			runtimetest.InitialEventsEnd[*object]("7"),
			runtimetest.Hang[*object](),
		))
		inf := newInformer(slow)
		fast := runtimetest.NewServer[*object]()
		fast.Set(widget("a"))
		if _, err := inf.AddSource("fast", fast); err != nil {
			t.Fatal(err)
		}
		start(t, inf)
		synctest.Wait()
		if err := inf.Source("").WaitFor(t.Context(), "7"); err != nil {
			t.Errorf("the source is there, and only slow: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		s := inf.Source("")
		waited := make(chan error, 1)
		go func() { waited <- s.WaitFor(ctx, "5000") }()
		synctest.Wait()
		if err := inf.Source("").Remove(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := <-waited; !errors.Is(err, store.ErrSourceEnded) {
			t.Errorf("the source is removed: %v, want ErrSourceEnded", err)
		}
	})
}
