// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// Mode chooses how a [DeltaFIFO] hands out what it holds.
type Mode uint8

const (
	// InOrder hands out batches in order of arrival. It is bounded: a producer
	// waits while two full batches are pending.
	InOrder Mode = iota
	// PerObject hands out one object at a time, with everything that happened to
	// it since it was last handed out. It is bounded by the number of objects
	// that change, not by the number of changes: producers never wait, and an
	// object's deltas grow until it is popped.
	PerObject
)

// String returns the name of m as it stands in the source.
func (m Mode) String() string {
	switch m {
	case InOrder:
		return "InOrder"
	case PerObject:
		return "PerObject"
	}
	return fmt.Sprintf("Mode(%d)", uint8(m))
}

// DefaultBatchSize is how many deltas an in-order batch holds if Config does not say.
const DefaultBatchSize = 1000

// Known is what a consumer has made of the deltas that it processed: usually a
// reader of its store. It is called without locks held.
type Known[K comparable, T any] interface {
	Get(key K) (T, bool)
	Keys() iter.Seq[K]
}

// Config says how a [DeltaFIFO] works. Only Key is required.
type Config[K comparable, T any] struct {
	// Key returns the key of an object, or why it has none. It must be pure.
	Key func(T) (K, error)
	// Mode is InOrder unless set.
	Mode Mode
	// BatchSize is the most deltas that an in-order batch holds, a Replace aside,
	// which is never split. 0 means DefaultBatchSize.
	BatchSize int
	// Known, if set, is where Replace looks for objects that vanished, and Resync
	// for objects to repeat. It must reflect a batch once the process function
	// that got it has returned. Without it, Replace compares with what is still
	// pending, so that what vanished while nobody watched is not found, and Resync does
	// nothing; a Deleted that is written is handed out all the same.
	Known Known[K, T]
	// Transform, if set, replaces each object before it is queued, usually by a
	// smaller one. It must not change the key. Its error is the producer's.
	Transform func(T) (T, error)
}

// lane is the part of a DeltaFIFO in which the modes differ. Every method except
// complete is called with the queue's lock held.
type lane[K comparable, T any] interface {
	len() int
	full() bool
	push(d Delta[K, T], resourceVersion string)
	replace(r replacement[K, T])
	resync(known []Delta[K, T])
	take() (*Batch[K, T], bool)
	// complete adds to a batch what needs Known to be found. It runs without the
	// lock, after take, when nothing is being processed.
	complete(b *Batch[K, T])
	// record brackets a look at Known by a producer, which holds no lock meanwhile.
	record(on bool)
	// done ends the processing of the batch that take returned.
	done(b *Batch[K, T], requeue bool)
	// initial reports whether everything that was pending when the first Replace
	// was queued has been processed.
	initial() bool
}

// DeltaFIFO queues what happened to objects. See the package's documentation for
// its two modes. Its methods are safe for concurrent use.
type DeltaFIFO[K comparable, T any] struct {
	cfg      Config[K, T]
	popping  ctxsync.Mutex  // held while a batch is taken and processed
	readable ctxsync.Signal // raised when there may be something to take
	writable ctxsync.Signal // raised when a producer may go on

	mu       sync.Mutex
	waiting  int // producers that wait for room
	lane     lane[K, T]
	started  bool // something was queued; until then, not synced
	isSynced bool
	synced   chan struct{}
	isClosed bool
	closed   chan struct{}
}

// NewDeltaFIFO returns an empty queue. It panics if c has no Key.
func NewDeltaFIFO[K comparable, T any](c Config[K, T]) *DeltaFIFO[K, T] {
	if c.Key == nil {
		panic("queue: NewDeltaFIFO needs Config.Key") //nolint:forbidigo // a mistake in the program, not in its input
	}
	if c.BatchSize <= 0 {
		c.BatchSize = DefaultBatchSize
	}
	q := &DeltaFIFO[K, T]{
		cfg: c, popping: ctxsync.NewMutex(), readable: ctxsync.NewSignal(), writable: ctxsync.NewSignal(),
		synced: make(chan struct{}), closed: make(chan struct{}),
	}
	if c.Mode == PerObject {
		q.lane = newPerObject[K, T](c.Known != nil)
	} else {
		q.lane = newInOrder[K, T](c.BatchSize, c.Known)
	}
	return q
}

// Pop waits for something to process, hands it to process, and returns what process
// returned, or nil if that was ErrRequeue. It returns the cause of ctx when ctx ends
// first, and ErrClosed when the queue is closed and empty. process runs without any
// lock of the queue and may write to the queue, except that a producer must not wait
// in it for room, and that it must not call Pop: one batch is processed at a time,
// also if several goroutines pop.
func (q *DeltaFIFO[K, T]) Pop(ctx context.Context, process func(*Batch[K, T]) error) error {
	if err := q.popping.Lock(ctx); err != nil {
		return err
	}
	defer q.popping.Unlock()
	b, err := q.next(ctx)
	if err != nil {
		return err
	}
	requeue := true // also if process panics: nothing is lost
	defer func() { q.finish(b, requeue) }()
	err = process(b)
	requeue = errors.Is(err, ErrRequeue)
	if requeue {
		return nil
	}
	return err
}

// next waits for a batch and takes it.
func (q *DeltaFIFO[K, T]) next(ctx context.Context) (*Batch[K, T], error) {
	for {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		q.mu.Lock()
		b, ok := q.lane.take()
		closed, wake := q.isClosed, q.waiting > 0 && !q.lane.full()
		q.mu.Unlock()
		if ok {
			if wake {
				q.writable.Raise()
			}
			q.lane.complete(b)
			return b, nil
		}
		if closed {
			return nil, ErrClosed
		}
		if err := q.readable.Wait(ctx, q.closed); err != nil {
			return nil, err
		}
	}
}

func (q *DeltaFIFO[K, T]) finish(b *Batch[K, T], requeue bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lane.done(b, requeue)
	q.checkSynced()
	if q.lane.len() > 0 {
		q.readable.Raise()
	}
}

// checkSynced closes synced when it is time to. The lock must be held.
func (q *DeltaFIFO[K, T]) checkSynced() {
	if q.started && !q.isSynced && q.lane.initial() {
		q.isSynced = true
		close(q.synced)
	}
}

// HasSynced reports whether the first thing that was written to the queue has been
// processed, if that was a Replace; it is true at once if that was anything else,
// since there is no initial list to wait for then.
func (q *DeltaFIFO[K, T]) HasSynced() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isSynced
}

// Synced is closed when HasSynced becomes true.
func (q *DeltaFIFO[K, T]) Synced() <-chan struct{} { return q.synced }

// Len returns how much is pending: deltas in InOrder mode, objects in PerObject
// mode. What is being processed does not count.
func (q *DeltaFIFO[K, T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lane.len()
}

// Close makes every write fail with ErrClosed, also those that wait for room, and
// Pop as soon as it has handed out what is pending. It may be called more than once.
func (q *DeltaFIFO[K, T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isClosed {
		q.isClosed = true
		close(q.closed)
	}
}
