// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "github.com/indexer-gen/indexer-gen/runtime/internal/popping"

// ErrClosed is returned by writes to a closed queue, and by Pop if a closed queue is empty.
var ErrClosed = popping.ErrClosed

// ErrRequeue is returned by a process function, possibly wrapped, to be called again with the same
// batch or object. An InOrder puts the batch back at the head; package fifo puts the object at the end,
// with the newer state or deltas that were written meanwhile. Pop then returns nil at once: the caller
// decides when to try again.
var ErrRequeue = popping.ErrRequeue
