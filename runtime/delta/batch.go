// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta

// Batch holds deltas that are processed at once.
type Batch[K comparable, T any] struct {
	// Deltas are in order of arrival. In a batch of a fifo.DeltaFIFO all have the same key.
	Deltas []Delta[K, T]
	// Replace is set if the batch is one complete list, with a Replaced, Stale or Kept for each object.
	// If the latest state of an object could not be decoded, but an older one could, it has a Replaced
	// with the older one, then a Stale. A queue puts a Deleted for each object that vanished before
	// these.
	Replace bool
	// Rewound is set on a Replace whose ResourceVersion is older than the one before.
	Rewound bool
	// ResourceVersion is the position of the source after the batch, "" if unknown. A batch may have a
	// ResourceVersion and no deltas.
	ResourceVersion string
}
