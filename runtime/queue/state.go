// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

var (
	// ErrClosed is returned by writes to a closed queue, and by Pop if a closed queue is empty.
	ErrClosed = errors.New("queue: closed; make a new one")
	// ErrRequeue is returned by a process function, possibly wrapped, to be called again with the same object.
	// The object goes to the end of the queue, with the newer state or deltas that were written meanwhile. Pop
	// then returns nil at once: the caller decides when to try again.
	ErrRequeue = errors.New("queue: process this again")
)

// state is the part of a queue that does not depend on what the queue holds: one Pop at a time, waiting,
// syncing and closing. B is what one Pop processes.
type state[B any] struct {
	popping  ctxsync.Mutex  // held while a batch is taken and processed
	readable ctxsync.Signal // raised when there may be something to take
	closed   chan struct{}
	synced   chan struct{}

	mu       sync.Mutex // guards the fields below and what the queue holds
	started  bool       // something was queued; until then, not synced
	isClosed bool
	isSynced bool
}

// newState returns the state of an empty queue.
func newState[B any]() state[B] {
	return state[B]{
		popping: ctxsync.NewMutex(), readable: ctxsync.NewSignal(),
		synced: make(chan struct{}), closed: make(chan struct{}),
	}
}

// pop takes one batch, and calls process and done with it. It holds the lock while it calls take and done. It
// need not raise readable after a requeue: no other pop can be waiting, and the next one looks for a batch before it
// waits.
func (q *state[B]) pop(
	ctx context.Context, take func() (B, bool), process func(B) error, done func(b B, requeue bool),
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
func (q *state[B]) next(ctx context.Context, take func() (B, bool)) (b B, err error) {
	for {
		if ctx.Err() != nil {
			return b, context.Cause(ctx)
		}
		q.mu.Lock()
		b, ok := take()
		isClosed := q.isClosed
		q.mu.Unlock()
		switch {
		case ok:
			return b, nil
		case isClosed:
			return b, ErrClosed
		}
		if err := q.readable.Wait(ctx, q.closed); err != nil {
			return b, err
		}
	}
}

// write runs do, which writes to the queue, under the lock.
func (q *state[B]) write(do func()) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		return ErrClosed
	}
	do()
	q.readable.Raise()
	return nil
}

// settle closes synced if processed is true and anything was queued. processed says that no
// part of the first list is pending. It requires the lock.
func (q *state[B]) settle(processed bool) {
	if q.started && !q.isSynced && processed {
		q.isSynced = true
		close(q.synced)
	}
}

// HasSynced reports whether the initial list has been processed: the objects of a Replace that is the
// first write. If the first write is not a Replace, the queue counts as synced at once. An object that is
// deleted from a FIFO while pending counts as processed.
func (q *state[B]) HasSynced() bool { return ctxsync.IsClosed(q.synced) }

// Synced is closed when HasSynced becomes true.
func (q *state[B]) Synced() <-chan struct{} { return q.synced }

// Close makes every write return ErrClosed. Pop returns ErrClosed once nothing is pending. Close may be
// called more than once.
func (q *state[B]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isClosed {
		q.isClosed = true
		close(q.closed)
	}
}
