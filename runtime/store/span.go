// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "github.com/indexer-gen/indexer-gen/runtime/store/internal/btree"

// Span is a stretch of the values of an ordered index. A zero Span is all of
// them.
type Span[V any] struct{ bounds btree.Range[V] }

// Between is the values v with from ≤ v < to.
func Between[V any](from, to V) Span[V] {
	return Span[V]{btree.Range[V]{From: from, To: to, HasFrom: true, HasTo: true}}
}

// AtLeast is the values v with from ≤ v.
func AtLeast[V any](from V) Span[V] { return Span[V]{btree.Range[V]{From: from, HasFrom: true}} }

// Below is the values v with v < to.
func Below[V any](to V) Span[V] { return Span[V]{btree.Range[V]{To: to, HasTo: true}} }
