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
	base[*delta.Batch[K, T]]
	cfg       Config[K, T]
	histories histories[K, T]
}

// NewDeltaFIFO returns an empty queue. It panics if c has no Key.
func NewDeltaFIFO[K comparable, T any](c Config[K, T]) *DeltaFIFO[K, T] {
	c.mustHaveKey()
	return &DeltaFIFO[K, T]{
		base: newBase[*delta.Batch[K, T]](), cfg: c,
		histories: histories[K, T]{hasKnown: c.KnownObjects != nil, items: make(map[K][]delta.Delta[K, T])},
	}
}

// Add queues that obj was created. See Push.
func (q *DeltaFIFO[K, T]) Add(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Added, obj)
}

// Update queues that obj changed. See Push.
func (q *DeltaFIFO[K, T]) Update(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Updated, obj)
}

// Delete queues that obj, in its final state, is gone. See Push.
func (q *DeltaFIFO[K, T]) Delete(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Deleted, obj)
}

func (q *DeltaFIFO[K, T]) pushObject(ctx context.Context, t delta.Type, obj T) error {
	d, err := q.cfg.deltaOf(t, obj)
	if err != nil {
		return err
	}
	return q.Push(ctx, d, "")
}

// Push queues d, whose Key must be the key of its Object. It does not wait, and ignores the
// context and the resourceVersion. Push drops a Sync for a pending object. It drops a
// Deleted for an object that is neither pending nor known. Without Config.KnownObjects it drops no
// Deleted, so the process function may get one for an object that it never had.
func (q *DeltaFIFO[K, T]) Push(_ context.Context, d delta.Delta[K, T], _ string) error {
	if err := q.cfg.transformDelta(&d); err != nil {
		return err
	}
	if d.Type != delta.Deleted {
		return q.write(func() { q.histories.push(d) })
	}
	known := true
	if q.cfg.KnownObjects != nil {
		defer q.recordKnown()()
		_, known = q.cfg.KnownObjects.Get(d.Key)
	}
	return q.write(func() { q.histories.pushDelete(d, known) })
}

// Replace queues a complete list: a Deleted with FinalStateUnknown for each object that is
// known or pending and missing from r, then the deltas of r. If an object has no key or its
// transform fails, Replace returns the error and queues nothing. It does not wait, and ignores
// the context. The caller may reuse r.Objects, but not r.Deltas.
func (q *DeltaFIFO[K, T]) Replace(_ context.Context, r Replacement[K, T]) error {
	deltas, err := q.cfg.replaced(r)
	if err != nil {
		return err
	}
	defer q.recordKnown()()
	known := q.cfg.readKnown(all)
	return q.write(func() { q.histories.replace(deltas, known, !q.started) })
}

// Bookmark returns ErrClosed if the queue is closed, and does nothing else. Because a DeltaFIFO changes
// the order of changes between objects, no resourceVersion describes what has been processed.
func (q *DeltaFIFO[K, T]) Bookmark(string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writeLocked(func() {})
}

// Resync queues a Sync for every known object that is not pending.
func (q *DeltaFIFO[K, T]) Resync() error {
	defer q.recordKnown()()
	known := q.cfg.readKnown(all)
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writeLocked(func() { q.histories.resync(known) })
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

// write runs do under the lock.
func (q *DeltaFIFO[K, T]) write(do func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writeLocked(func() {
		do()
		q.started = true
		q.settle(len(q.histories.unseen) == 0)
	})
}
