// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package delta

// Batch is the argument of a process function. The queue reuses it when the
// function returns.
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
