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
