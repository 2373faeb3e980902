// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
)

// An error handler that is told of a call of a handler is in that call: it may remove the
// handler, and learns that it cannot wait for it.
func TestErrorHandlerIsInTheCall(t *testing.T) {
	both(t, func(t *testing.T, opts ...informer.HandlerOption) {
		srv := runtimetest.NewServer[*object]()
		srv.Set(widget("a"))
		srv.Set(widget("b"))
		var reg *informer.Registration
		var got error
		inf := newInformer(srv, informer.WithErrorHandler(func(error) { got = reg.RemoveWait(context.Background()) }))
		rec := &recorder{}
		reg = inf.AddHandler(informer.HandlerFuncs[*object]{AddFunc: func(o *object, initial bool) {
			rec.OnAdd(o, initial)
			panic("no")
		}}, opts...)
		start(t, inf)
		expect(t, rec, "+a*")
		if !errors.Is(got, informer.ErrOwnCall) {
			t.Errorf("RemoveWait returned %v", got)
		}
		if err := reg.RemoveWait(t.Context()); err != nil {
			t.Errorf("RemoveWait elsewhere returned %v", err)
		}
	})
}
