// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// DeltaFIFO returns one object at a time, with every delta since the object was last
// returned. Objects are ordered by their first pending delta. Writes never wait, so the
// deltas of an object accumulate until it is popped. Create a DeltaFIFO with NewDeltaFIFO.
// Its methods are safe for concurrent use.
type DeltaFIFO[K comparable, T any] struct {
	state[*delta.Batch[K, T]]
	known     KnownObjects[K, T] // may be nil
	histories histories[K, T]
}

// NewDeltaFIFO returns an empty queue. known reads the objects that the consumer holds; it must reflect the
// deltas when their process function returns. It may be nil: then Replace compares the list with the
// pending deltas only, and Resync does nothing.
func NewDeltaFIFO[K comparable, T any](known KnownObjects[K, T]) *DeltaFIFO[K, T] {
	return &DeltaFIFO[K, T]{
		state: newState[*delta.Batch[K, T]](), known: known,
		histories: histories[K, T]{hasKnown: known != nil, items: make(map[K][]delta.Delta[K, T])},
	}
}

// Push queues d, whose Key must be the key of its Object. It does not wait, and ignores the
// context and the resourceVersion. Push drops a Sync for a pending object. It drops a
// Deleted for an object that is neither pending nor known. Without known objects it drops no
// Deleted, so the process function may get one for an object that it never had.
func (q *DeltaFIFO[K, T]) Push(_ context.Context, d delta.Delta[K, T], _ string) error {
	if d.Type != delta.Deleted {
		return q.start(func() { q.histories.push(d) })
	}
	known := true
	if q.known != nil {
		defer q.recordKnown()()
		_, known = q.known.Get(d.Key)
	}
	return q.start(func() { q.histories.pushDelete(d, known) })
}

// Replace queues a complete list: a Deleted with FinalStateUnknown for each object that is known or
// pending and missing from it, then its deltas. It does not wait, and ignores the context.
func (q *DeltaFIFO[K, T]) Replace(_ context.Context, list delta.Batch[K, T]) error {
	defer q.recordKnown()()
	known := readKnown(q.known)
	return q.start(func() { q.histories.replace(list.Deltas, known, !q.started) })
}

// Bookmark returns ErrClosed if the queue is closed, and does nothing else. Because a DeltaFIFO changes
// the order of changes between objects, no resourceVersion describes what has been processed.
func (q *DeltaFIFO[K, T]) Bookmark(string) error {
	return q.write(func() {})
}

// Resync queues a Sync for every known object that is not pending. If the object is being processed, the Sync has
// the state that is being processed.
func (q *DeltaFIFO[K, T]) Resync() error {
	defer q.recordKnown()()
	known := readKnown(q.known)
	return q.write(func() { q.histories.resync(known) })
}

// Len returns the number of pending objects, without the one being processed.
func (q *DeltaFIFO[K, T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.histories.order)
}

// Pop waits for an object, calls process with its deltas, and returns the result of
// process. If process returns ErrRequeue or panics, the deltas are queued again; Pop returns
// nil for ErrRequeue. Pop returns the cause of ctx if ctx ends first, and ErrClosed if the
// queue is closed and empty. process runs under no lock and may write to the queue. It must
// not call Pop: concurrent Pops process one object at a time.
func (q *DeltaFIFO[K, T]) Pop(ctx context.Context, process func(*delta.Batch[K, T]) error) error {
	return q.pop(ctx, q.histories.take, process, func(b *delta.Batch[K, T], requeue bool) {
		q.histories.done(b, requeue)
		q.settle(len(q.histories.unseen) == 0)
	})
}

// recordKnown makes the queue remember the deltas processed until stop is called. KnownObjects is read
// without the lock meanwhile, so it may or may not include them.
func (q *DeltaFIFO[K, T]) recordKnown() (stop func()) {
	set := func(on bool) {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.histories.record(on)
	}
	set(true)
	return func() { set(false) }
}

// start runs do, which queues what the source has, under the lock.
func (q *DeltaFIFO[K, T]) start(do func()) error {
	return q.write(func() {
		do()
		q.started = true
		q.settle(len(q.histories.unseen) == 0)
	})
}
