// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// A DeltaFIFO returns one object at a time with its deltas.
func ExampleDeltaFIFO() {
	type phase = string
	ctx := context.Background()
	q := queue.NewDeltaFIFO[string, phase](nil)
	for _, d := range []delta.Delta[string, phase]{
		{Type: delta.Added, Key: "a", Object: "Pending"},
		{Type: delta.Added, Key: "b", Object: "Pending"},
		{Type: delta.Updated, Key: "a", Object: "Online"},
	} {
		_ = q.Push(ctx, d, "")
	}
	for q.Len() > 0 {
		_ = q.Pop(ctx, func(b *delta.Batch[string, phase]) error {
			for _, d := range b.Deltas {
				fmt.Println(d.Key, d.Type, d.Object)
			}
			return nil
		})
	}
	// Output:
	// a Added Pending
	// a Updated Online
	// b Added Pending
}

// Process the changes of a source, one object at a time, without a store.
func ExampleController() {
	type object = metav1.PartialObjectMetadata
	srv := runtimetest.NewServer[*object]()
	srv.Set(&object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})

	ctx, stop := context.WithCancel(context.Background())
	queue.Controller[*object]{
		Source: srv.Source(),
		Queue:  queue.NewDeltaFIFO[types.NamespacedName, *object](nil),
		Process: func(_ context.Context, b *delta.Batch[types.NamespacedName, *object]) error {
			for _, d := range b.Deltas {
				fmt.Println(d.Type, d.Key)
			}
			stop()
			return nil
		},
	}.Run(ctx)
	// Output: Replaced ns/a
}
