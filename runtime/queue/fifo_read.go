// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

// Get returns the pending state of the object with this key.
func (q *FIFO[K, T]) Get(key K) (T, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	obj, ok := q.items[key]
	return obj, ok
}

// Keys returns the keys of the pending objects, in no order.
func (q *FIFO[K, T]) Keys() []K {
	q.mu.Lock()
	defer q.mu.Unlock()
	keys := make([]K, 0, len(q.items))
	for key := range q.items {
		keys = append(keys, key)
	}
	return keys
}

// List returns the pending objects, in no order.
func (q *FIFO[K, T]) List() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	objs := make([]T, 0, len(q.items))
	for _, obj := range q.items {
		objs = append(objs, obj)
	}
	return objs
}

// Len returns the number of pending objects.
func (q *FIFO[K, T]) Len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.items)
}

// HasSynced reports whether every object of the first write has been processed or
// deleted, if that was a Replace; it is true at once if it was anything else.
func (q *FIFO[K, T]) HasSynced() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.isSynced
}

// Synced is closed when HasSynced becomes true.
func (q *FIFO[K, T]) Synced() <-chan struct{} { return q.synced }

// Close makes every write fail with ErrClosed, and Pop as soon as it has handed out
// what is pending. It may be called more than once.
func (q *FIFO[K, T]) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.isClosed {
		q.isClosed = true
		close(q.closed)
	}
}
