// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "errors"

// ErrClosed is returned by writes to a closed queue, and by Pop if a closed queue is empty.
var ErrClosed = errors.New("queue: closed; make a new one")

// ErrRequeue is returned by a process function, possibly wrapped, to be called again with the same
// object or batch. A FIFO and a DeltaFIFO put the object at the end of the queue. An object that was
// written meanwhile keeps its place; a FIFO keeps its newer state, a DeltaFIFO appends its newer
// deltas. An InOrder puts the batch back at the head. Pop then returns nil at once: the caller decides
// when to try again.
var ErrRequeue = errors.New("queue: process this again")
