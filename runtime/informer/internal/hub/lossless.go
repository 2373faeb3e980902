// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lossless is an inbox that keeps every change, in order. All handlers share the changes, and a
// snapshot costs nothing until it is delivered.
type lossless[T metav1.Object] struct {
	room    ctxsync.Signal // raised when Full becomes false
	limit   int64          // Full if more changes count
	counted atomic.Int64   // pending changes that count against limit
	total   atomic.Int64   // all pending changes

	mu         sync.Mutex
	pending    []Delivery[T] // from first on
	first      int
	delivering Delivery[T] // what Next has returned, without its changes
	resyncing  bool        // a resync is pending or being delivered
	lists      int         // lists that are pending or being delivered, and do not count
	complete   bool        // the initial list has come
}

// Put does not count the changes of a list toward the limit. They cannot exceed the number of objects,
// and if they counted, the store would stop until a slow handler had processed them all. A list counts
// if another list is still pending. Lists of the initial list never count: there is one for each part of
// the source. A resync is dropped if one is pending.
func (b *lossless[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if d.resync && b.resyncing {
		return
	}
	own := *d
	if !d.whole {
		own.after = reader[T]{} // pins no version of the store
	}
	own.free = d.whole || d.List && (b.lists == 0 || d.Initial && !b.complete)
	b.resyncing, b.complete = b.resyncing || d.resync, b.complete || d.Last
	switch {
	case !own.free:
		b.counted.Add(int64(len(d.Changes)))
	case d.List:
		b.lists++
	}
	b.total.Add(int64(own.len()))
	if 2*b.first > len(b.pending) {
		b.pending, b.first = slices.Delete(b.pending, 0, b.first), 0
	}
	b.pending = append(b.pending, own)
}

// Next implements inbox.
func (b *lossless[T]) Next() (d Delivery[T], ok bool) {
	if d, ok = b.next(); d.whole {
		d.Changes, d.after = d.read(), reader[T]{}
	}
	return d, ok
}

// next drops the delivery that was made, and takes the oldest that is pending.
func (b *lossless[T]) next() (d Delivery[T], ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.delivering.resync {
		b.resyncing = false
	}
	if b.delivering.free && b.delivering.List {
		b.lists--
	}
	if ok = b.first < len(b.pending); ok {
		d, b.pending[b.first] = b.pending[b.first], d
		b.first++
	}
	b.delivering = d
	b.delivering.Changes, b.delivering.after = nil, reader[T]{}
	return d, ok
}

// Called implements inbox.
func (b *lossless[T]) Called() {
	b.total.Add(-1)
	if !b.delivering.free && b.counted.Add(-1) == b.limit {
		b.room.Raise()
	}
}

// Discard implements inbox.
func (b *lossless[T]) Discard(bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.pending, b.first = nil, 0
}

// Full implements inbox.
func (b *lossless[T]) Full() bool { return b.counted.Load() > b.limit }

// Waiting implements inbox.
func (b *lossless[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if since = b.delivering.came; since == 0 && b.first < len(b.pending) {
		since = b.pending[b.first].came
	}
	return int(b.total.Load()), since
}
