// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package posting

// Bucket is an index value and its posting, which is never empty.
type Bucket[V comparable] struct {
	Owner   uint64
	Value   V
	Posting Posting
}
