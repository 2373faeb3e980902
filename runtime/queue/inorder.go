// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"

	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// defaultBatchSize is the largest number of deltas in a batch if Config.BatchSize is 0.
const defaultBatchSize = 1000

// InOrder returns deltas in batches, in order of arrival. It is bounded: writes wait while
// two full batches are pending. Create an InOrder with NewInOrder. Its methods are safe for
// concurrent use.
type InOrder[K comparable, T any] struct {
	base[*delta.Batch[K, T]]
	cfg      Config[K, T]
	writable ctxsync.Signal // raised when a producer may go on
	segments segments[K, T]
}

// NewInOrder returns an empty queue. It panics if c has no Key.
func NewInOrder[K comparable, T any](c Config[K, T]) *InOrder[K, T] {
	c.mustHaveKey()
	if c.BatchSize <= 0 {
		c.BatchSize = defaultBatchSize
	}
	return &InOrder[K, T]{
		base: newBase[*delta.Batch[K, T]](), cfg: c, writable: ctxsync.NewSignal(),
		segments: segments[K, T]{batchSize: c.BatchSize, hasKnown: c.KnownObjects != nil},
	}
}

// Add queues that obj was created. See Push.
func (q *InOrder[K, T]) Add(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Added, obj)
}

// Update queues that obj changed. See Push.
func (q *InOrder[K, T]) Update(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Updated, obj)
}

// Delete queues that obj, in its final state, is gone. See Push.
func (q *InOrder[K, T]) Delete(ctx context.Context, obj T) error {
	return q.pushObject(ctx, delta.Deleted, obj)
}

func (q *InOrder[K, T]) pushObject(ctx context.Context, t delta.Type, obj T) error {
	d, err := q.cfg.deltaOf(t, obj)
	if err != nil {
		return err
	}
	return q.Push(ctx, d, "")
}

// Push queues d, whose Key must be the key of its Object. resourceVersion is the position of
// the source after d, "" if unknown. Push waits while two full batches are pending. If ctx
// ends first, Push returns its cause and queues nothing.
func (q *InOrder[K, T]) Push(ctx context.Context, d delta.Delta[K, T], resourceVersion string) error {
	if err := q.cfg.transformDelta(&d); err != nil {
		return err
	}
	return q.write(ctx, func() { q.segments.push(d, resourceVersion) })
}

// Replace queues a complete list: a Deleted with FinalStateUnknown for each object that is missing from r
// and known or, without KnownObjects, pending; then the deltas of r. It waits for room like Push; a list
// counts as one full batch. If an object has no key or its transform fails, Replace returns the
// error and queues nothing. The caller may reuse r.Objects, but not r.Deltas.
func (q *InOrder[K, T]) Replace(ctx context.Context, r Replacement[K, T]) error {
	deltas, err := q.cfg.replaced(r)
	if err != nil {
		return err
	}
	list := delta.Batch[K, T]{Replace: true, Rewound: r.Rewound, ResourceVersion: r.ResourceVersion, Deltas: deltas}
	return q.write(ctx, func() { q.segments.replace(list, !q.started) })
}

// Bookmark moves the position of the source to resourceVersion without a delta. The newest
// pending batch carries it, so Bookmark never waits for room.
func (q *InOrder[K, T]) Bookmark(resourceVersion string) error {
	return q.append(func() { q.segments.bookmark(resourceVersion) })
}

// Resync queues a batch with a Sync for every known object. The objects are read when the
// batch is popped. Resync does nothing while such a batch is pending. It never waits for room.
func (q *InOrder[K, T]) Resync() error {
	return q.append(func() {
		if q.cfg.KnownObjects != nil {
			q.segments.resync()
		}
	})
}

// Len returns the number of pending deltas, without the batch being processed.
func (q *InOrder[K, T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.segments.deltas
}

// Idle reports whether nothing is pending or being processed. If it is true, a producer that is the
// only one may process its next delta itself.
func (q *InOrder[K, T]) Idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.segments.list) == 0 && q.segments.taken == nil
}

// Pop waits for a batch, calls process with it, and returns the result of process. If
// process returns ErrRequeue or panics, the batch goes back to the head of the queue; Pop
// returns nil for ErrRequeue. Pop returns the cause of ctx if ctx ends first, and ErrClosed
// if the queue is closed and empty. process runs under no lock. It must not call Pop:
// concurrent Pops process one batch at a time. If process writes to a full queue, both wait
// forever.
func (q *InOrder[K, T]) Pop(ctx context.Context, process func(*delta.Batch[K, T]) error) error {
	return q.pop(ctx, q.take, func(b *delta.Batch[K, T]) error {
		q.complete(b)
		return process(b)
	}, func(_ *delta.Batch[K, T], requeue bool) {
		q.segments.done(requeue)
		q.settle(!q.segments.initialOpen)
	})
}

func (q *InOrder[K, T]) take() (*delta.Batch[K, T], bool) {
	b := q.segments.take()
	q.passRoom()
	return b, b != nil
}

// complete adds to b the deltas that depend on KnownObjects, and merges repeated deletions. Everything
// before b has been processed, so KnownObjects is exactly the state that b follows. The caller holds
// popping, and not mu.
func (q *InOrder[K, T]) complete(b *delta.Batch[K, T]) {
	s := q.segments.taken // guarded by popping
	switch {
	case s.resync:
		b.Deltas = q.cfg.readKnown(all)
		for i := range b.Deltas {
			b.Deltas[i].Type = delta.Sync
		}
		s.resync = false // a requeued batch keeps its deltas
	case b.Replace && q.cfg.KnownObjects != nil:
		listed := keysOf(b.Deltas)
		gone := q.cfg.readKnown(func(key K) bool {
			_, ok := listed[key]
			return !ok
		})
		for i := range gone {
			gone[i].Type, gone[i].FinalStateUnknown = delta.Deleted, true
		}
		b.Deltas = slices.Insert(b.Deltas, 0, gone...)
	default:
		b.Deltas = mergeBatchDeletes(b.Deltas)
	}
}

// append runs do under the lock, even if there is no room.
func (q *InOrder[K, T]) append(do func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.writeLocked(do)
}

// write runs do under the lock once there is room.
func (q *InOrder[K, T]) write(ctx context.Context, do func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.isClosed && q.segments.full() {
		q.mu.Unlock()
		err := q.writable.Wait(ctx, q.closed)
		q.mu.Lock()
		if err != nil {
			q.passRoom() // this producer may have consumed the signal
			return err
		}
	}
	return q.writeLocked(func() {
		do()
		q.started = true
		q.settle(!q.segments.initialOpen)
		q.passRoom()
	})
}

// passRoom wakes the next producer if there is room left. It requires the lock.
func (q *InOrder[K, T]) passRoom() {
	if !q.segments.full() {
		q.writable.Raise()
	}
}
