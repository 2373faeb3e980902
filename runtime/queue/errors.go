// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "errors"

// ErrClosed is returned by writes to a closed queue, and by Pop once a closed queue
// is empty.
var ErrClosed = errors.New("queue: closed; make a new one")

// ErrRequeue is what a process function returns, possibly wrapped, to get the same
// again: a FIFO and a per-object DeltaFIFO put the object back at the end of the
// queue (what came meanwhile wins, or follows, respectively), an in-order DeltaFIFO
// puts the batch back at its head. Pop returns nil then, at once: it is the caller
// who decides how soon to try again.
var ErrRequeue = errors.New("queue: process this again")
