// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package queue

import "iter"

// ring is a first-in, first-out list in one slice, which it reuses.
type ring[K any] struct {
	values []K
	head   int
}

func (r *ring[K]) len() int { return len(r.values) - r.head }

func (r *ring[K]) push(v K) {
	if r.head > 16 && r.head > len(r.values)/2 { // amortized: half was popped
		n := copy(r.values, r.values[r.head:])
		clear(r.values[n:])
		r.values, r.head = r.values[:n], 0
	}
	r.values = append(r.values, v)
}

// pop removes the oldest value; there must be one.
func (r *ring[K]) pop() K {
	var zero K
	v := r.values[r.head]
	r.values[r.head] = zero
	r.head++
	if r.head == len(r.values) {
		if cap(r.values) > 1024 { // release the room of a burst
			r.values = nil
		}
		r.values, r.head = r.values[:0], 0
	}
	return v
}

// all yields the values, oldest first.
func (r *ring[K]) all() iter.Seq[K] {
	return func(yield func(K) bool) {
		for _, v := range r.values[r.head:] {
			if !yield(v) {
				return
			}
		}
	}
}
