// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"context"
	"errors"
	"maps"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// FIFO queues objects of which only the newest state matters: an object that is
// added again while it is pending keeps its place and gets its new state, one that
// is deleted drops out. It never holds more than one state of each object. Its
// methods are safe for concurrent use.
type FIFO[K comparable, T any] struct {
	key      func(T) (K, error)
	popping  ctxsync.Mutex
	readable ctxsync.Signal

	mu       sync.Mutex
	items    map[K]T
	order    ring[K]   // may hold keys that were deleted, or pending again further back
	places   map[K]int // how many places in order a key has; the last one counts
	began    bool
	unseen   map[K]struct{} // of the first Replace, not processed yet
	isSynced bool
	synced   chan struct{}
	isClosed bool
	closed   chan struct{}
}

// NewFIFO returns an empty FIFO whose objects are told apart by key, which must be
// pure.
func NewFIFO[K comparable, T any](key func(T) (K, error)) *FIFO[K, T] {
	if key == nil {
		panic("queue: NewFIFO needs a key function") //nolint:forbidigo // a mistake in the program, not in its input
	}
	return &FIFO[K, T]{
		key: key, popping: ctxsync.NewMutex(), readable: ctxsync.NewSignal(),
		items: make(map[K]T), places: make(map[K]int),
		synced: make(chan struct{}), closed: make(chan struct{}),
	}
}

// Add queues obj, or replaces its pending state.
func (q *FIFO[K, T]) Add(obj T) error {
	return q.write(obj, func(key K) { q.set(key, obj, true) })
}

// Update does what Add does.
func (q *FIFO[K, T]) Update(obj T) error { return q.Add(obj) }

// AddIfNotPresent queues obj unless a state of it is pending, which is taken to be
// newer. It is how a consumer puts back what it could not process.
func (q *FIFO[K, T]) AddIfNotPresent(obj T) error {
	return q.write(obj, func(key K) { q.set(key, obj, false) })
}

// Delete drops the object with the key of obj.
func (q *FIFO[K, T]) Delete(obj T) error {
	return q.write(obj, func(key K) {
		delete(q.items, key)
		q.seen(key)
		q.compact()
	})
}

func (q *FIFO[K, T]) write(obj T, do func(K)) error {
	key, err := q.key(obj)
	if err != nil {
		return &KeyError{Object: obj, Err: err}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		return ErrClosed
	}
	q.began = true
	do(key)
	q.settle()
	return nil
}

// set makes obj pending. The lock must be held.
func (q *FIFO[K, T]) set(key K, obj T, overwrite bool) {
	_, pending := q.items[key]
	if pending && !overwrite {
		return
	}
	q.items[key] = obj
	if !pending {
		q.order.push(key)
		q.places[key]++
		q.compact()
	}
}

// compact drops the places of deleted objects once they outnumber the others, so
// that adding and deleting forever does not grow the queue. The lock must be held.
func (q *FIFO[K, T]) compact() {
	if q.order.len() <= 2*len(q.items)+16 {
		return
	}
	var kept ring[K]
	places := make(map[K]int, len(q.items))
	for key := range q.order.all() {
		if q.places[key]--; q.places[key] > 0 {
			continue
		}
		if _, pending := q.items[key]; pending {
			kept.push(key)
			places[key] = 1
		}
	}
	q.order, q.places = kept, places
	q.items = maps.Collect(maps.All(q.items)) // a map keeps the room of what was deleted
}

// Replace drops everything pending and queues objs instead. If one of them has no
// key, nothing changes.
func (q *FIFO[K, T]) Replace(objs []T) error {
	keys := make([]K, len(objs))
	for i, obj := range objs {
		key, err := q.key(obj)
		if err != nil {
			return &KeyError{Object: obj, Err: err}
		}
		keys[i] = key
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isClosed {
		return ErrClosed
	}
	fresh := make(map[K]T, len(objs))
	for i, key := range keys {
		fresh[key] = objs[i]
	}
	for key := range q.items { // what stays pending keeps its place
		if _, ok := fresh[key]; !ok {
			delete(q.items, key)
			q.seen(key)
		}
	}
	if !q.began {
		q.began = true
		q.unseen = make(map[K]struct{}, len(keys))
		for key := range fresh {
			q.unseen[key] = struct{}{}
		}
	}
	for i, key := range keys {
		q.set(key, objs[i], true)
	}
	q.settle()
	return nil
}

// seen notes that an object of the first list needs no more waiting for. The lock
// must be held.
func (q *FIFO[K, T]) seen(key K) { delete(q.unseen, key) }

// settle does what every change is followed by. The lock must be held.
func (q *FIFO[K, T]) settle() {
	if q.began && !q.isSynced && len(q.unseen) == 0 {
		q.isSynced, q.unseen = true, nil
		close(q.synced)
	}
	if len(q.items) > 0 {
		q.readable.Raise()
	}
}

// Pop waits for an object, hands its newest state to process, and returns what that
// returned, or nil if it was ErrRequeue: then the object is put back as by
// AddIfNotPresent. It returns the cause of ctx when ctx ends first, and ErrClosed
// when the queue is closed and empty. process runs without any lock and may write to
// the queue but not pop from it; one object is processed at a time, also if several
// goroutines pop.
func (q *FIFO[K, T]) Pop(ctx context.Context, process func(T) error) error {
	if err := q.popping.Lock(ctx); err != nil {
		return err
	}
	defer q.popping.Unlock()
	key, obj, err := q.next(ctx)
	if err != nil {
		return err
	}
	requeue := true // also if process panics
	defer func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		if requeue && !q.isClosed {
			q.set(key, obj, false)
		} else {
			q.seen(key)
		}
		q.settle()
	}()
	err = process(obj)
	requeue = errors.Is(err, ErrRequeue)
	if requeue {
		return nil
	}
	return err
}

// next waits for an object and takes it.
func (q *FIFO[K, T]) next(ctx context.Context) (key K, obj T, err error) {
	for {
		if ctx.Err() != nil {
			return key, obj, context.Cause(ctx)
		}
		q.mu.Lock()
		key, obj, ok := q.take()
		closed := q.isClosed
		q.mu.Unlock()
		if ok {
			return key, obj, nil
		}
		if closed {
			return key, obj, ErrClosed
		}
		if err := q.readable.Wait(ctx, q.closed); err != nil {
			return key, obj, err
		}
	}
}

// take removes the oldest pending object. The lock must be held.
func (q *FIFO[K, T]) take() (key K, obj T, ok bool) {
	for q.order.len() > 0 {
		key := q.order.pop()
		if q.places[key]--; q.places[key] > 0 {
			continue // dropped there, added again further back
		}
		delete(q.places, key)
		if obj, ok := q.items[key]; ok {
			delete(q.items, key)
			return key, obj, true
		}
	}
	return key, obj, false
}
