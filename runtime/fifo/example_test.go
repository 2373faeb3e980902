// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fifo_test

import (
	"context"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/fifo"
)

// A DeltaFIFO returns one object at a time with its deltas.
func ExampleDeltaFIFO() {
	type phase = string
	ctx := context.Background()
	q := fifo.NewDeltaFIFO[string, phase](nil)
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
