// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lossless is an inbox that keeps every change, in order. All handlers share the changes, and a
// snapshot costs nothing until its turn.
type lossless[T metav1.Object] struct {
	room ctxsync.Signal // raised when Full becomes false

	limit     int64
	counted   atomic.Int64 // pending changes that count against limit
	total     atomic.Int64 // all pending changes
	since     atomic.Int64 // when the delivery came that is being delivered, 0 if there is none
	onInitial func()       // called when the initial list has been delivered

	mu        sync.Mutex
	pending   []Delivery[T] // until the goroutine that calls the handler takes them all
	resyncing bool          // a resync is pending or being delivered
	lists     int           // lists that are pending or being delivered, and do not count
	complete  bool          // the initial list has come

	// Used only by the goroutine that calls the handler.
	taken    []Delivery[T]
	current  int  // position in taken
	at       int  // position of the next change in the current delivery
	inFlight bool // the last Next returned a change
	opened   bool // the last Next began a delivery
}

// newLossless returns an inbox that is full if more than limit changes are pending.
func newLossless[T metav1.Object](limit int, onInitial func()) *lossless[T] {
	return &lossless[T]{limit: int64(limit), room: ctxsync.NewSignal(), onInitial: onInitial}
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
	b.pending = append(b.pending, own)
}

// Next implements inbox.
func (b *lossless[T]) Next() (c store.Change[T], inInitialList, ok bool) {
	b.Settle()
	b.opened = b.at == 0
	for b.at == 0 {
		d := b.open()
		if d == nil {
			return c, false, false
		}
		if len(d.Changes) > 0 {
			break
		}
		b.finish(d)
	}
	d := &b.taken[b.current]
	c = d.Changes[b.at]
	b.at++
	b.inFlight = true
	return c, d.Initial, true
}

// Waited implements inbox.
func (b *lossless[T]) Waited() bool { return b.opened }

// open begins the oldest delivery, or returns nil if there is none.
func (b *lossless[T]) open() *Delivery[T] {
	if b.current == len(b.taken) {
		b.mu.Lock()
		b.taken, b.pending, b.current = b.pending, b.taken[:0], 0
		b.mu.Unlock()
		if len(b.taken) == 0 {
			return nil
		}
	}
	d := &b.taken[b.current]
	b.since.Store(d.came)
	if d.whole {
		d.Changes, d.whole, d.after = d.read(), false, reader[T]{}
	}
	return d
}

// Settle implements inbox.
func (b *lossless[T]) Settle() {
	if !b.inFlight {
		return
	}
	b.inFlight = false
	d := &b.taken[b.current]
	b.total.Add(-1)
	if !d.free && b.counted.Add(-1) == b.limit {
		b.room.Raise()
	}
	if b.at == len(d.Changes) {
		b.finish(d)
	}
}

// finish drops the current delivery, whose calls have been made.
func (b *lossless[T]) finish(d *Delivery[T]) {
	if d.free {
		b.mu.Lock()
		if d.resync {
			b.resyncing = false
		}
		if d.List {
			b.lists--
		}
		b.mu.Unlock()
	}
	last := d.Last
	*d = Delivery[T]{}
	b.at = 0
	if b.current++; b.current < len(b.taken) {
		b.since.Store(b.taken[b.current].came)
	} else {
		b.since.Store(0)
	}
	if last {
		b.onInitial()
	}
}

// Discard implements inbox.
func (b *lossless[T]) Discard(all bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.pending {
		b.total.Add(-int64(b.pending[i].len()))
	}
	b.pending = nil
	if all {
		b.taken, b.current, b.at, b.inFlight = nil, 0, 0, false
		b.total.Store(0)
		b.since.Store(0)
	}
}

// Full implements inbox.
func (b *lossless[T]) Full() bool { return b.counted.Load() > b.limit }

// Waiting implements inbox.
func (b *lossless[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if since = b.since.Load(); since == 0 && len(b.pending) > 0 {
		since = b.pending[0].came
	}
	return int(b.total.Load()), since
}
