// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

// A batch has the pending deltas in order, and the version that they lead to.
func ExampleInOrder() {
	ctx := context.Background()
	q := queue.NewInOrder(queue.Config[string, string]{})
	_ = q.Push(ctx, delta.Delta[string, string]{Type: delta.Added, Key: "a", Object: "Pending"}, "7")
	_ = q.Push(ctx, delta.Delta[string, string]{Type: delta.Updated, Key: "a", Object: "Online"}, "8")
	_ = q.Pop(ctx, func(b *delta.Batch[string, string]) error {
		fmt.Println(len(b.Deltas), "deltas up to", b.ResourceVersion)
		return nil
	})
	// Output: 2 deltas up to 8
}
