// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "iter"

// Batch is the argument of a process function. The queue reuses it when the function
// returns.
type Batch[K comparable, T any] struct {
	// Deltas are in order of arrival. In a batch of a DeltaFIFO all have the same key.
	Deltas []Delta[K, T]
	// Replace is set if the batch is one complete list: a Deleted for each object that vanished from
	// KnownObjects or, without these, from the pending deltas; then the deltas of the [Replacement].
	// A DeltaFIFO never sets Replace.
	Replace bool
	// Rewound is set on a Replace whose resourceVersion is older than the one before.
	Rewound bool
	// ResourceVersion is the position of the source after the batch, "" if unknown. A
	// batch may have a ResourceVersion and no deltas. A DeltaFIFO never sets it.
	ResourceVersion string
}

// ByObject yields each key, in order of its first delta, with the deltas of its object in
// order. Consecutive deletes are merged.
func (b *Batch[K, T]) ByObject() iter.Seq2[K, []Delta[K, T]] {
	return func(yield func(K, []Delta[K, T]) bool) {
		first := make(map[K]int, len(b.Deltas)) // position in groups
		var groups [][]Delta[K, T]
		for _, d := range b.Deltas {
			i, ok := first[d.Key]
			if !ok {
				i = len(groups)
				first[d.Key] = i
				groups = append(groups, nil)
			}
			groups[i] = appendMerged(groups[i], d)
		}
		for _, g := range groups {
			if !yield(g[0].Key, g) {
				return
			}
		}
	}
}

// appendMerged appends d to the deltas of its object, and merges consecutive deletes.
func appendMerged[K comparable, T any](ds []Delta[K, T], d Delta[K, T]) []Delta[K, T] {
	if n := len(ds); n > 0 && d.Type == Deleted && ds[n-1].Type == Deleted {
		ds[n-1] = mergeDeletes(ds[n-1], d)
		return ds
	}
	return append(ds, d)
}
