// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"iter"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// KnownObjects reads what the consumer holds, usually a store. A queue calls it without holding
// a lock.
type KnownObjects[K comparable, T any] interface {
	Get(key K) (T, bool)
	Keys() iter.Seq[K]
}

// Config configures an [InOrder].
type Config[K comparable, T any] struct {
	// BatchSize limits the deltas in a batch; 0 means 1000. A list is never split.
	BatchSize int
	// KnownObjects reads the objects that the consumer holds. Replace looks there for objects
	// that vanished, and Resync for objects to repeat. KnownObjects must reflect a batch when its
	// process function returns. If KnownObjects is nil, Replace compares the list with the pending
	// deltas only, and Resync does nothing.
	KnownObjects KnownObjects[K, T]
}

// ReadKnown returns a delta without a type for each object that known has and want selects.
func ReadKnown[K comparable, T any](known KnownObjects[K, T], want func(K) bool) []delta.Delta[K, T] {
	if known == nil {
		return nil
	}
	var ds []delta.Delta[K, T]
	for key := range known.Keys() {
		if !want(key) {
			continue
		}
		if obj, ok := known.Get(key); ok {
			ds = append(ds, delta.Delta[K, T]{Key: key, Object: obj})
		}
	}
	return ds
}
