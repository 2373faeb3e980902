// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "testing"

// A batch keeps the memory of some writes for the next ones, and not that of a list.
func TestMemoryOfAReset(t *testing.T) {
	var b Batch[string, *int]
	b.Set(new(int))
	b.Reset()
	if cap(b.batch.Deltas) == 0 || b.batch.Deltas[:1][0].Object != nil {
		t.Error("Reset has released the memory, or kept the object")
	}
	b.Replace([]*int{new(int), new(int)})
	if b.Reset(); cap(b.batch.Deltas) != 0 {
		t.Errorf("Reset has kept room for %d writes of a list", cap(b.batch.Deltas))
	}
}
