// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package fifo

import (
	"maps"
	"slices"
)

// Get returns the pending state of the object with this key.
func (q *FIFO[K, T]) Get(key K) (T, bool) {
	q.state.Lock()
	defer q.state.Unlock()
	e, ok := q.items[key]
	if !ok {
		var none T
		return none, false
	}
	return e.Value.(*keyed[K, T]).obj, true
}

// Keys returns the keys of the pending objects, in no order.
func (q *FIFO[K, T]) Keys() []K {
	q.state.Lock()
	defer q.state.Unlock()
	return slices.AppendSeq(make([]K, 0, len(q.items)), maps.Keys(q.items))
}

// List returns the pending objects, oldest first.
func (q *FIFO[K, T]) List() []T {
	q.state.Lock()
	defer q.state.Unlock()
	objs := make([]T, 0, len(q.items))
	for e := q.order.Front(); e != nil; e = e.Next() {
		objs = append(objs, e.Value.(*keyed[K, T]).obj)
	}
	return objs
}

// Len returns the number of pending objects.
func (q *FIFO[K, T]) Len() int {
	q.state.Lock()
	defer q.state.Unlock()
	return len(q.items)
}
