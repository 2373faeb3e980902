// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// An error handler that is notified of a panic runs in the handler's call: it may remove the
// handler, but not wait for the call to return.
func TestErrorHandlerIsInTheCall(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		var reg *informer.Registration
		var got error
		inf := newInformer(srv, informer.WithErrorHandler(func(error) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			got = reg.RemoveWait(ctx)
		}))
		rec := &recorder{}
		reg = inf.AddEventHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, initial bool) {
			rec.OnAdd(o, initial)
			panic("no")
		}}, opts...)
		start(t, inf)
		time.Sleep(2 * time.Second)
		expect(t, rec, "+a*")
		if !errors.Is(got, context.DeadlineExceeded) {
			t.Errorf("RemoveWait returned %v", got)
		}
		if err := reg.RemoveWait(t.Context()); err != nil {
			t.Errorf("RemoveWait elsewhere returned %v", err)
		}
	})
}
