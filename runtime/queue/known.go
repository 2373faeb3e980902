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

// readKnown returns a delta without a type for each object that known has.
func readKnown[K comparable, T any](known KnownObjects[K, T]) (ds []delta.Delta[K, T]) {
	if known == nil {
		return nil
	}
	for key := range known.Keys() {
		if obj, ok := known.Get(key); ok {
			ds = append(ds, delta.Delta[K, T]{Key: key, Object: obj})
		}
	}
	return ds
}
