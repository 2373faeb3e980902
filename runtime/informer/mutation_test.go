// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer_test

import (
	"context"
	"errors"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/indexer-gen/indexer-gen/runtime/informer"
	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// With mutation.Detect, a handler that writes to a cached object panics the test, unless there is an error handler.
func TestHandlerWritesToCachedObject(t *testing.T) {
	type object = *metav1.PartialObjectMetadata
	for _, hears := range []bool{false, true} {
		server := runtimetest.NewServer[object]()
		server.Set(&metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})
		mutation.Detect()
		s := store.ForObjects[object]()
		store.DetectAll(nil)
		var options []informer.Option
		var heard, panicked *store.MutationError
		if hears {
			options = append(options, informer.WithErrorHandler(func(err error) { errors.As(err, &heard) }))
		}
		i := informer.New(schema.GroupVersionResource{Resource: "objects"}, server.Source(), s, options...)
		handler := i.AddEventHandler(informer.HandlerFuncs[object]{AddFunc: func(o object, _ bool) {
			o.Labels = map[string]string{"written": "by the handler"}
		}})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- i.Run(ctx) }()
		if err := handler.WaitForSync(ctx); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { panicked, _ = recover().(*store.MutationError) }()
			_ = s.CheckMutations()
		}()
		if (heard != nil) != hears || (panicked != nil) == hears {
			t.Errorf("with an error handler %t: it heard of %v, panicked with %v", hears, heard, panicked)
		}
		if i.LastError() == nil {
			t.Error("the mutation is not the last error")
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}
