// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"weak"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// A handler that is removed while the run ends is not kept.
func TestHandlerRemovedAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		release := make(chan struct{})
		inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { <-release }})
		var kept weak.Pointer[[1 << 16]byte]
		add := func() *informer.Registration {
			large := new([1 << 16]byte)
			kept = weak.Make(large)
			return inf.AddEventHandler(
				informer.HandlerFuncs[*object]{AddFunc: func(*object, bool) { large[0]++ }},
			)
		}
		reg := add()
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); _ = inf.Run(ctx) }()
		synctest.Wait()
		cancel()
		synctest.Wait() // all but the one that hangs has ended
		reg.Remove()
		close(release)
		<-over
		reg = nil
		runtime.GC()
		if kept.Value() != nil {
			t.Error("what the handler holds is still held")
		}
		runtime.KeepAlive(inf)
	})
}

// A handler without pending changes ends as soon as it is removed, while the informer runs on.
func TestRemovalOfAnIdleHandler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		reg := inf.AddEventHandler(informer.HandlerFuncs[*object]{})
		ctx, cancel := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() { defer close(over); _ = inf.Run(ctx) }()
		synctest.Wait()
		ended := false
		go func() { ended = reg.RemoveWait(ctx) == nil }()
		synctest.Wait()
		if !ended {
			t.Error("the handler has not ended")
		}
		cancel()
		<-over
	})
}
