// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"github.com/indexer-gen/indexer-gen/runtime/delta"

	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/popping"
)

// defaultBatchSize is the largest number of deltas in a batch if Config.BatchSize is 0.
const defaultBatchSize = 1000

// InOrder returns deltas in batches, in order of arrival. It is bounded: writes wait while
// two full batches are pending. Create an InOrder with NewInOrder. Its methods are safe for
// concurrent use.
type InOrder[K comparable, T any] struct {
	state    popping.State[*delta.Batch[K, T]]
	cfg      Config[K, T]
	writable ctxsync.Signal // raised when a producer may go on
	segments segments[K, T]
}

// NewInOrder returns an empty queue.
func NewInOrder[K comparable, T any](c Config[K, T]) *InOrder[K, T] {
	if c.BatchSize <= 0 {
		c.BatchSize = defaultBatchSize
	}
	return &InOrder[K, T]{
		state: popping.New[*delta.Batch[K, T]](), cfg: c, writable: ctxsync.NewSignal(),
		segments: segments[K, T]{batchSize: c.BatchSize, hasKnown: c.KnownObjects != nil},
	}
}

// Push queues d, whose Key must be the key of its Object. resourceVersion is the position of
// the source after d, "" if unknown. Push waits while two full batches are pending. If ctx
// ends first, Push returns its cause and queues nothing.
func (q *InOrder[K, T]) Push(ctx context.Context, d delta.Delta[K, T], resourceVersion string) error {
	return q.write(ctx, func() { q.segments.push(d, resourceVersion) })
}

// Replace queues a complete list: a Deleted with FinalStateUnknown for each object that is missing from it
// and known or, without KnownObjects, pending; then its deltas. It waits for room like Push; a list counts
// as one full batch. The queue owns list.Deltas from then on, also if Replace fails.
func (q *InOrder[K, T]) Replace(ctx context.Context, list delta.Batch[K, T]) error {
	list.Replace = true
	return q.write(ctx, func() { q.segments.replace(list, !q.state.Started) })
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
	q.state.Lock()
	defer q.state.Unlock()
	return q.segments.deltas
}

// Idle reports whether nothing is pending or being processed. If it is true, a producer that is the
// only one may process its next delta itself.
func (q *InOrder[K, T]) Idle() bool {
	q.state.Lock()
	defer q.state.Unlock()
	return len(q.segments.list) == 0 && q.segments.taken == nil
}

// Pop waits for a batch, calls process with it, and returns the result of process. If
// process returns ErrRequeue or panics, the batch goes back to the head of the queue; Pop
// returns nil for ErrRequeue. Pop returns the cause of ctx if ctx ends first, and ErrClosed
// if the queue is closed and empty. process runs under no lock. It must not call Pop:
// concurrent Pops process one batch at a time. If process writes to a full queue, both wait
// forever.
func (q *InOrder[K, T]) Pop(ctx context.Context, process func(*delta.Batch[K, T]) error) error {
	return q.state.Pop(ctx, q.take, func(b *delta.Batch[K, T]) error {
		q.complete(b)
		return process(b)
	}, func(_ *delta.Batch[K, T], requeue bool) {
		q.segments.done(requeue)
		q.state.Settle(!q.segments.initialOpen)
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
		b.Deltas = ReadKnown(q.cfg.KnownObjects, func(K) bool { return true })
		for i := range b.Deltas {
			b.Deltas[i].Type = delta.Sync
		}
		s.resync = false // a requeued batch keeps its deltas
	case b.Replace && q.cfg.KnownObjects != nil:
		listed := keysOf(b.Deltas)
		gone := ReadKnown(q.cfg.KnownObjects, func(key K) bool {
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
	q.state.Lock()
	defer q.state.Unlock()
	return q.state.Write(do)
}

// write runs do under the lock once there is room.
func (q *InOrder[K, T]) write(ctx context.Context, do func()) error {
	q.state.Lock()
	defer q.state.Unlock()
	for !q.state.Closed && q.segments.full() {
		q.state.Unlock()
		err := q.writable.Wait(ctx, q.state.Done())
		q.state.Lock()
		if err != nil {
			q.passRoom() // this producer may have consumed the signal
			return err
		}
	}
	return q.state.Write(func() {
		do()
		q.state.Started = true
		q.state.Settle(!q.segments.initialOpen)
		q.passRoom()
	})
}

// passRoom wakes the next producer if there is room left. It requires the lock.
func (q *InOrder[K, T]) passRoom() {
	if !q.segments.full() {
		q.writable.Raise()
	}
}

// HasSynced reports whether the initial list has been processed. The initial list is a Replace that is
// the first write. If the first write is not a Replace, the queue counts as synced at once.
func (q *InOrder[K, T]) HasSynced() bool { return q.state.HasSynced() }

// Synced is closed when HasSynced becomes true.
func (q *InOrder[K, T]) Synced() <-chan struct{} { return q.state.Synced() }

// Close makes every write return ErrClosed, including writes that wait for room. Pop returns ErrClosed
// once nothing is pending. Close may be called more than once.
func (q *InOrder[K, T]) Close() { q.state.Close() }
