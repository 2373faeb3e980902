// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import (
	"container/list"
	"context"
	"fmt"
	"maps"
	"slices"
)

// FIFO holds the newest state of each pending object. Adding a pending object replaces its
// state and keeps its place; deleting it drops it. Create a FIFO with NewFIFO. Its methods
// are safe for concurrent use.
type FIFO[K comparable, T any] struct {
	state[*keyed[K, T]]
	key    func(T) (K, error)
	items  map[K]*list.Element // in order
	order  list.List           // of *keyed[K, T], oldest first
	unseen map[K]struct{}      // objects of the initial list that are not processed yet
}

// keyed is an object with its key.
type keyed[K comparable, T any] struct {
	key K
	obj T
}

// NewFIFO returns an empty FIFO. key returns the key of an object, and must be pure. NewFIFO
// panics if key is nil.
func NewFIFO[K comparable, T any](key func(T) (K, error)) *FIFO[K, T] {
	if key == nil {
		panic("queue: NewFIFO needs a key function") //nolint:forbidigo // a bug of the caller
	}
	return &FIFO[K, T]{state: newState[*keyed[K, T]](), key: key, items: make(map[K]*list.Element)}
}

// Add queues obj, or replaces its pending state.
func (q *FIFO[K, T]) Add(obj T) error {
	return q.writeObject(obj, func(key K) { q.set(key, obj, true) })
}

// Delete drops the pending object with the key of obj.
func (q *FIFO[K, T]) Delete(obj T) error {
	return q.writeObject(obj, q.drop)
}

func (q *FIFO[K, T]) writeObject(obj T, do func(K)) error {
	key, err := q.key(obj)
	if err != nil {
		return fmt.Errorf("queue: no key for an object of type %T: %w", obj, err)
	}
	return q.write(func() {
		do(key)
		q.started = true
		q.settle(len(q.unseen) == 0)
	})
}

// set makes obj pending. It requires the lock.
func (q *FIFO[K, T]) set(key K, obj T, overwrite bool) {
	e, pending := q.items[key]
	switch {
	case !pending:
		q.items[key] = q.order.PushBack(&keyed[K, T]{key, obj})
	case overwrite:
		e.Value = &keyed[K, T]{key, obj}
	}
}

// drop removes the pending object with this key. It requires the lock.
func (q *FIFO[K, T]) drop(key K) {
	if e, pending := q.items[key]; pending {
		q.order.Remove(e)
		delete(q.items, key)
		delete(q.unseen, key)
	}
}

// Replace drops all pending objects and queues objs. Objects that stay pending keep their
// place. If one of objs has no key, Replace returns the error and changes nothing.
func (q *FIFO[K, T]) Replace(objs []T) error {
	keys := make([]K, len(objs))
	for i, obj := range objs {
		key, err := q.key(obj)
		if err != nil {
			return fmt.Errorf("queue: no key for an object of type %T: %w", obj, err)
		}
		keys[i] = key
	}
	return q.write(func() { q.replace(keys, objs) })
}

// replace makes objs the pending objects. It requires the lock.
func (q *FIFO[K, T]) replace(keys []K, objs []T) {
	fresh := make(map[K]T, len(objs))
	for i, key := range keys {
		fresh[key] = objs[i]
	}
	for key := range q.items {
		if _, ok := fresh[key]; !ok {
			q.drop(key)
		}
	}
	if !q.started {
		q.started = true
		q.unseen = make(map[K]struct{}, len(keys))
		for key := range fresh {
			q.unseen[key] = struct{}{}
		}
	}
	for i, key := range keys {
		q.set(key, objs[i], true)
	}
	q.settle(len(q.unseen) == 0)
}

// Pop waits for an object, calls process with its newest state, and returns the result of
// process. If process returns ErrRequeue or panics, the object is put back
// unless a newer state of it is pending; Pop returns nil for ErrRequeue. Pop returns the cause of ctx if ctx ends
// first, and ErrClosed if the queue is closed and empty. process runs under no lock and may
// write to the queue. It must not call Pop: concurrent Pops process one object at a time.
func (q *FIFO[K, T]) Pop(ctx context.Context, process func(T) error) error {
	return q.pop(ctx, q.take,
		func(k *keyed[K, T]) error { return process(k.obj) },
		func(k *keyed[K, T], requeue bool) {
			if requeue {
				q.set(k.key, k.obj, false)
			} else {
				delete(q.unseen, k.key)
			}
			q.settle(len(q.unseen) == 0)
		})
}

// take removes the oldest pending object. It requires the lock.
func (q *FIFO[K, T]) take() (k *keyed[K, T], ok bool) {
	e := q.order.Front()
	if e == nil {
		return nil, false
	}
	k = q.order.Remove(e).(*keyed[K, T])
	delete(q.items, k.key)
	return k, true
}

// Get returns the pending state of the object with this key.
func (q *FIFO[K, T]) Get(key K) (T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	e, ok := q.items[key]
	if !ok {
		var none T
		return none, false
	}
	return e.Value.(*keyed[K, T]).obj, true
}

// Keys returns the keys of the pending objects, in no order.
func (q *FIFO[K, T]) Keys() []K {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.AppendSeq(make([]K, 0, len(q.items)), maps.Keys(q.items))
}

// List returns the pending objects, oldest first.
func (q *FIFO[K, T]) List() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	objs := make([]T, 0, len(q.items))
	for e := q.order.Front(); e != nil; e = e.Next() {
		objs = append(objs, e.Value.(*keyed[K, T]).obj)
	}
	return objs
}

// Len returns the number of pending objects.
func (q *FIFO[K, T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}
