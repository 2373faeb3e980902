// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package controller_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/controller"
	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/runtimetest"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Process the changes of a source in batches, without a store.
func ExampleRun() {
	type object = metav1.PartialObjectMetadata
	srv := runtimetest.NewServer[*object]()
	srv.Set(&object{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: "a"}})

	ctx, stop := context.WithCancel(context.Background())
	controller.Run(ctx, controller.Config[*object]{
		Source: srv.Source(),
		Queue:  queue.NewInOrder(queue.Config[types.NamespacedName, *object]{}),
		Process: func(_ context.Context, b *delta.Batch[types.NamespacedName, *object]) error {
			for _, d := range b.Deltas {
				fmt.Println(d.Type, d.Key)
			}
			stop()
			return nil
		},
	})
	// Output: Replaced ns/a
}
