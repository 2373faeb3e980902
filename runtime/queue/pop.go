// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// base is the part of a queue that does not depend on what the queue holds: one Pop at a
// time, waiting, syncing and closing. B is the argument of the process function.
type base[B any] struct {
	popping  ctxsync.Mutex  // held while a batch is taken and processed
	readable ctxsync.Signal // raised when there may be something to take

	mu       sync.Mutex
	started  bool // something was queued; until then, not synced
	isSynced bool
	synced   chan struct{}
	isClosed bool
	closed   chan struct{}
}

func newBase[B any]() base[B] {
	return base[B]{
		popping: ctxsync.NewMutex(), readable: ctxsync.NewSignal(),
		synced: make(chan struct{}), closed: make(chan struct{}),
	}
}

// pop takes one batch, and calls process and done with it. It holds the lock while it calls take and
// done. It need not raise readable after a requeue: nobody else can be waiting for it, and the next Pop
// looks for an item before it waits.
func (q *base[B]) pop(
	ctx context.Context, take func() (B, bool),
	process func(B) error, done func(b B, requeue bool),
) error {
	if err := q.popping.Lock(ctx); err != nil {
		return err
	}
	defer q.popping.Unlock()
	b, err := q.next(ctx, take)
	if err != nil {
		return err
	}
	requeue := true // if process panics
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		done(b, requeue)
	}()
	err = process(b)
	requeue = errors.Is(err, ErrRequeue)
	if requeue {
		return nil
	}
	return err
}

// next waits until take returns something.
func (q *base[B]) next(ctx context.Context, take func() (B, bool)) (b B, err error) {
	for {
		if ctx.Err() != nil {
			return b, context.Cause(ctx)
		}
		q.mu.Lock()
		b, ok := take()
		closed := q.isClosed
		q.mu.Unlock()
		switch {
		case ok:
			return b, nil
		case closed:
			return b, ErrClosed
		}
		if err := q.readable.Wait(ctx, q.closed); err != nil {
			return b, err
		}
	}
}

// writeLocked runs do, which writes to the queue. It requires the lock.
func (q *base[B]) writeLocked(do func()) error {
	if q.isClosed {
		return ErrClosed
	}
	do()
	q.readable.Raise()
	return nil
}

// settle closes synced if processed is true and anything was queued. processed says that no
// part of the first list is pending. It requires the lock.
func (q *base[B]) settle(processed bool) {
	if q.started && !q.isSynced && processed {
		q.isSynced = true
		close(q.synced)
	}
}

// HasSynced reports whether the initial list has been processed. The initial list is a Replace that is
// the first write. If the first write is not a Replace, the queue counts as synced at once. In a FIFO,
// an object that is deleted while pending counts as processed.
func (q *base[B]) HasSynced() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isSynced
}

// Synced is closed when HasSynced becomes true.
func (q *base[B]) Synced() <-chan struct{} { return q.synced }

// Close makes every write return ErrClosed, including writes that wait for room. Pop
// returns ErrClosed once nothing is pending. Close may be called more than once.
func (q *base[B]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isClosed {
		q.isClosed = true
		close(q.closed)
	}
}
