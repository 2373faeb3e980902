// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package popping is the part of a queue that does not depend on what the queue holds: one Pop at a time,
// waiting, syncing and closing.
package popping

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// ErrClosed and ErrRequeue are those of package queue.
var (
	ErrClosed  = errors.New("queue: closed; make a new one")
	ErrRequeue = errors.New("queue: process this again")
)

// State is the state of a queue. B is the argument of the process function. Create it with New.
type State[B any] struct {
	popping  ctxsync.Mutex  // held while a batch is taken and processed
	readable ctxsync.Signal // raised when there may be something to take

	sync.Mutex      // guards the fields below and what the queue holds
	Started    bool // something was queued; until then, not synced
	Closed     bool
	isSynced   bool
	synced     chan struct{}
	closed     chan struct{}
}

// New returns the state of an empty queue.
func New[B any]() State[B] {
	return State[B]{
		popping: ctxsync.NewMutex(), readable: ctxsync.NewSignal(),
		synced: make(chan struct{}), closed: make(chan struct{}),
	}
}

// Pop takes one batch, and calls process and done with it. It holds the lock while it calls take and
// done. It need not raise readable after a requeue: nobody else can be waiting for it, and the next Pop
// looks for an item before it waits.
func (q *State[B]) Pop(
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
		q.Lock()
		defer q.Unlock()
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
func (q *State[B]) next(ctx context.Context, take func() (B, bool)) (b B, err error) {
	for {
		if ctx.Err() != nil {
			return b, context.Cause(ctx)
		}
		q.Lock()
		b, ok := take()
		closed := q.Closed
		q.Unlock()
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

// Write runs do, which writes to the queue. It requires the lock.
func (q *State[B]) Write(do func()) error {
	if q.Closed {
		return ErrClosed
	}
	do()
	q.readable.Raise()
	return nil
}

// Settle closes synced if processed is true and anything was queued. processed says that no
// part of the first list is pending. It requires the lock.
func (q *State[B]) Settle(processed bool) {
	if q.Started && !q.isSynced && processed {
		q.isSynced = true
		close(q.synced)
	}
}

// HasSynced reports whether the initial list has been processed. The initial list is a Replace that is
// the first write. If the first write is not a Replace, the queue counts as synced at once. In a FIFO,
// an object that is deleted while pending counts as processed.
func (q *State[B]) HasSynced() bool {
	q.Lock()
	defer q.Unlock()
	return q.isSynced
}

// Synced is closed when HasSynced becomes true.
func (q *State[B]) Synced() <-chan struct{} { return q.synced }

// Close makes every write return ErrClosed, including writes that wait for room. Pop
// returns ErrClosed once nothing is pending. Close may be called more than once.
func (q *State[B]) Close() {
	q.Lock()
	defer q.Unlock()
	if !q.Closed {
		q.Closed = true
		close(q.closed)
	}
}

// Done is closed by Close.
func (q *State[B]) Done() <-chan struct{} { return q.closed }
