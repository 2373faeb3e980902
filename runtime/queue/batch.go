// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "iter"

// Batch is what one Pop hands to its process function. It belongs to the queue and
// is valid only until that function returns.
type Batch[K comparable, T any] struct {
	// Deltas are in order of arrival. In per-object mode all have the same key.
	Deltas []Delta[K, T]
	// Replace is set when the batch is one whole list: every object in it as
	// Replaced, after a Deleted for each object that is known to have vanished.
	// Such a batch holds nothing else. Never set in per-object mode.
	Replace bool
	// Rewound is set on a Replace whose resourceVersion is older than what came
	// before: the source has gone back in time.
	Rewound bool
	// ResourceVersion is how far the source has been read once the batch is
	// applied; "" if the batch does not say. A batch may consist of nothing else.
	// Always "" in per-object mode, which reorders objects and so cannot say it.
	ResourceVersion string
}

// ByObject groups the deltas by object: keys in the order in which they first
// appear, and what happened to each in order, with double deletes merged.
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

// appendMerged appends d to the deltas of its object; a Deleted that follows a
// Deleted becomes one with it.
func appendMerged[K comparable, T any](ds []Delta[K, T], d Delta[K, T]) []Delta[K, T] {
	if n := len(ds); n > 0 && d.Type == Deleted && ds[n-1].Type == Deleted {
		ds[n-1] = mergeDeletes(ds[n-1], d)
		return ds
	}
	return append(ds, d)
}
