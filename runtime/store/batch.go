// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// Batch is a set of writes by hand, which are done in order. Readers see all of them or none. The zero value
// is an empty batch. A Batch is not safe for concurrent use.
type Batch[K comparable, T any] struct {
	deltas              delta.Batch[K, T]
	pendingKeyPositions []int // positions of the deltas whose Key is to be read from the Object
	versionSet          bool  // ResourceVersion was called
}

// Set stores obj and replaces the object of its key, if any.
func (b *Batch[K, T]) Set(obj T) {
	b.pendingKeyPositions = append(b.pendingKeyPositions, len(b.deltas.Deltas))
	b.appendRawDelta(delta.Delta[K, T]{Type: delta.Updated, Object: obj})
}

// Delete removes the object of key, if any.
func (b *Batch[K, T]) Delete(key K) {
	b.appendRawDelta(delta.WithKey[K, T](delta.Deleted, key))
}

func (b *Batch[K, T]) appendRawDelta(d delta.Delta[K, T]) {
	b.deltas.Deltas = append(b.deltas.Deltas, d)
}

// Replace stores objs, and deletes all objects that the batch does not write.
func (b *Batch[K, T]) Replace(objs []T) {
	b.deltas.Replace = true
	b.deltas.Deltas, b.pendingKeyPositions = slices.Grow(b.deltas.Deltas, len(objs)), slices.Grow(b.pendingKeyPositions, len(objs))
	for _, obj := range objs {
		b.Set(obj)
	}
}

// ResourceVersion sets the resourceVersion that the store reflects after the batch.
func (b *Batch[K, T]) ResourceVersion(rv string) { b.deltas.ResourceVersion, b.versionSet = rv, true }

// Rewind declares that the source has gone backward: the resourceVersion of this batch does not
// follow the earlier ones. Waits for earlier versions return ErrRewound.
func (b *Batch[K, T]) Rewind() { b.deltas.Rewound = true }

// Apply applies b atomically: a reader sees all of its writes or none. It returns the changes in order,
// the deletions of a Replace first. If a key is written twice, there are two changes. Deleting a missing
// object is no change. The caller owns the slice: no Apply uses it again.
//
// If the key of an object cannot be read, Apply changes nothing and returns the first [*KeyError].
func (s *Store[K, T]) Apply(b *Batch[K, T]) ([]Change[T], error) {
	if err := s.readKeys(b); err != nil {
		return nil, err
	}
	return s.applyBatch(&b.deltas, &batchRules[T]{setsEmptyVersion: b.versionSet}), nil
}
