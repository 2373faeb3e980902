// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// A handler that ends its goroutine is called on another one, and the time to its next
// resync goes on.
func TestResyncGoesOnAfterGoexit(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		inf := newInformer(srv)
		rec := &recorder{}
		inf.AddHandler(informer.HandlerFuncs[*object]{
			AddFunc: rec.OnAdd,
			UpdateFunc: func(old, new *object) {
				rec.OnUpdate(old, new)
				runtime.Goexit()
			},
		}, append(opts, informer.WithResync(time.Minute))...)
		start(t, inf)
		expect(t, rec, "+a*")
		time.Sleep(50 * time.Second)
		srv.Set(widget("a", "v", "2"))
		expect(t, rec, "~a2")
		time.Sleep(10 * time.Second)
		expect(t, rec, "~a2")
		time.Sleep(time.Minute)
		expect(t, rec, "~a2")
	})
}
