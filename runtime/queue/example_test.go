// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
)

// A DeltaFIFO returns one object at a time with its deltas.
func ExampleDeltaFIFO() {
	type device struct{ name, phase string }
	ctx := context.Background()
	q := queue.NewDeltaFIFO(queue.Config[string, device]{
		Key: func(d device) (string, error) { return d.name, nil },
	})
	_ = q.Add(ctx, device{"a", "Pending"})
	_ = q.Add(ctx, device{"b", "Pending"})
	_ = q.Update(ctx, device{"a", "Online"})
	for q.Len() > 0 {
		_ = q.Pop(ctx, func(b *delta.Batch[string, device]) error {
			for _, d := range b.Deltas {
				fmt.Println(d.Key, d.Type, d.Object.phase)
			}
			return nil
		})
	}
	// Output:
	// a Added Pending
	// a Updated Online
	// b Added Pending
}
