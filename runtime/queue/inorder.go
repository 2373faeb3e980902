// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/popping"
)

// ErrClosed is returned by writes to a closed queue, and by Pop if a closed queue is empty.
var ErrClosed = popping.ErrClosed

// ErrRequeue is returned by a process function, possibly wrapped, to be called again with the same
// batch or object. An InOrder puts the batch back at the head; package fifo puts the object at the end,
// with the newer state or deltas that were written meanwhile. Pop then returns nil at once: the caller
// decides when to try again.
var ErrRequeue = popping.ErrRequeue

// Config configures an [InOrder].
type Config[K comparable, T any] struct {
	// BatchSize limits the deltas in a batch; 0 means 1000. A list is never split.
	BatchSize int
	// KnownObjects reads the objects that the consumer holds. Replace looks there for objects
	// that vanished, and Resync for objects to repeat. KnownObjects must reflect a batch when its
	// process function returns. If KnownObjects is nil, Replace compares the list with the pending
	// deltas only, and Resync does nothing.
	KnownObjects KnownObjects[K, T]
}

// defaultBatchSize is the largest number of deltas in a batch if Config.BatchSize is 0.
const defaultBatchSize = 1000

// InOrder returns deltas in batches, in order of arrival. It is bounded: writes wait while
// two full batches are pending. Create an InOrder with NewInOrder. Its methods are safe for
// concurrent use.
type InOrder[K comparable, T any] struct {
	cfg      Config[K, T]
	writable ctxsync.Signal // raised when a producer may go on
	state    popping.State[*delta.Batch[K, T]]

	// Guarded by the lock of state.
	pending []*delta.Batch[K, T]
	load    int                // room that pending takes
	deltas  int                // in pending
	taken   *delta.Batch[K, T] // is being processed, or nil
	spare   *delta.Batch[K, T] // a processed one, reused by the next Push
	initial *delta.Batch[K, T] // the initial list until it has been processed, or nil
	resync  *delta.Batch[K, T] // pending, and to be filled with the known objects when taken, or nil
	fills   bool               // taken is such a batch; guarded by popping
}

// NewInOrder returns an empty queue.
func NewInOrder[K comparable, T any](c Config[K, T]) *InOrder[K, T] {
	if c.BatchSize <= 0 {
		c.BatchSize = defaultBatchSize
	}
	return &InOrder[K, T]{state: popping.New[*delta.Batch[K, T]](), cfg: c, writable: ctxsync.NewSignal()}
}

// Push queues d, whose Key must be the key of its Object. resourceVersion is the position of
// the source after d, "" if unknown. Push waits while two full batches are pending. If ctx
// ends first, Push returns its cause and queues nothing.
func (q *InOrder[K, T]) Push(ctx context.Context, d delta.Delta[K, T], resourceVersion string) error {
	return q.write(ctx, func() {
		b := q.last()
		if b == nil || b.Replace || b == q.resync || len(b.Deltas) >= q.cfg.BatchSize {
			if b, q.spare = q.spare, nil; b == nil {
				b = &delta.Batch[K, T]{}
			}
			q.pending = append(q.pending, b)
		}
		b.Deltas = append(b.Deltas, d)
		q.load++
		q.deltas++
		if resourceVersion != "" {
			b.ResourceVersion = resourceVersion
		}
	})
}

// Replace queues a complete list: a Deleted with FinalStateUnknown for each object that is missing from it
// and known or, without KnownObjects, pending; then its deltas. It waits for room like Push; a list counts
// as one full batch. The queue owns list.Deltas from then on, also if Replace fails.
func (q *InOrder[K, T]) Replace(ctx context.Context, list delta.Batch[K, T]) error {
	list.Replace = true
	return q.write(ctx, func() {
		if q.cfg.KnownObjects == nil {
			list.Deltas = slices.Insert(list.Deltas, 0, q.vanished(list.Deltas)...)
		}
		if !q.state.Started {
			q.initial = &list
		}
		q.pending = append(q.pending, &list)
		q.count(&list, 1)
	})
}

// Bookmark moves the position of the source to resourceVersion without a delta. The newest
// pending batch carries it, so Bookmark never waits for room.
func (q *InOrder[K, T]) Bookmark(resourceVersion string) error {
	return q.append(func() {
		if b := q.last(); b != nil {
			b.ResourceVersion = resourceVersion
			return
		}
		q.pending = append(q.pending, &delta.Batch[K, T]{ResourceVersion: resourceVersion})
	})
}

// Resync queues a batch with a Sync for every known object. The objects are read when the
// batch is popped. Resync does nothing while such a batch is pending. It never waits for room.
func (q *InOrder[K, T]) Resync() error {
	return q.append(func() {
		if q.cfg.KnownObjects != nil && q.resync == nil {
			q.resync = &delta.Batch[K, T]{}
			q.pending = append(q.pending, q.resync)
		}
	})
}

// last returns the newest pending batch, or nil. It requires the lock.
func (q *InOrder[K, T]) last() *delta.Batch[K, T] {
	if n := len(q.pending); n > 0 {
		return q.pending[n-1]
	}
	return nil
}

// count adds b to what is pending n times. A list takes as much room as a full batch. count requires the lock.
func (q *InOrder[K, T]) count(b *delta.Batch[K, T], n int) {
	q.deltas += n * len(b.Deltas)
	if b.Replace {
		q.load += n * q.cfg.BatchSize
	} else {
		q.load += n * len(b.Deltas)
	}
}

// Len returns the number of pending deltas, without the batch being processed.
func (q *InOrder[K, T]) Len() int {
	q.state.Lock()
	defer q.state.Unlock()
	return q.deltas
}

// Idle reports whether nothing is pending or being processed. If it is true, a producer that is the
// only one may process its next delta itself.
func (q *InOrder[K, T]) Idle() bool {
	q.state.Lock()
	defer q.state.Unlock()
	return len(q.pending) == 0 && q.taken == nil
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
	}, q.done)
}

// take returns the oldest batch. It requires the lock.
func (q *InOrder[K, T]) take() (*delta.Batch[K, T], bool) {
	if len(q.pending) == 0 {
		return nil, false
	}
	b := q.pending[0]
	q.pending = slices.Delete(q.pending, 0, 1)
	q.count(b, -1)
	q.taken = b
	if q.fills = b == q.resync; q.fills {
		q.resync = nil
	}
	q.passRoom()
	return b, true
}

// done ends the processing of b. It requires the lock.
func (q *InOrder[K, T]) done(b *delta.Batch[K, T], requeue bool) {
	q.taken = nil
	switch {
	case requeue:
		q.pending = slices.Insert(q.pending, 0, b)
		q.count(b, 1)
		return
	case b == q.initial:
		q.initial = nil
	case !b.Replace && len(b.Deltas) <= q.cfg.BatchSize: // a list or a resync may be much larger
		clear(b.Deltas)
		*b = delta.Batch[K, T]{Deltas: b.Deltas[:0]}
		q.spare = b
	}
	q.state.Settle(q.initial == nil)
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
	for !q.state.Closed && q.full() {
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
		q.state.Settle(q.initial == nil)
		q.passRoom()
	})
}

// full requires the lock.
func (q *InOrder[K, T]) full() bool { return q.load >= 2*q.cfg.BatchSize }

// passRoom wakes the next producer if there is room left. It requires the lock.
func (q *InOrder[K, T]) passRoom() {
	if !q.full() {
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
