// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"sync"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Lossless is an Inbox that keeps every change, in order. All handlers share the changes, and a
// snapshot costs nothing until its turn.
type Lossless[T metav1.Object] struct {
	Room ctxsync.Signal // raised when Full becomes false

	limit     int64
	clock     *Clock
	pending   atomic.Int64 // changes that count against limit
	total     atomic.Int64 // all changes
	onInitial func()       // called when the initial list has been delivered

	mu           sync.Mutex
	first, final *unit[T] // pending; nil if there is none
	spare        *unit[T] // the last one whose calls were made, to be reused; may be nil
	resyncing    bool     // a resync is pending or being delivered
	lists        int      // units with list set that are pending or being delivered
	complete     bool     // the initial list has come
	since        int64    // when current came

	// Used only by the goroutine that calls the handler.
	current  *unit[T]
	inFlight bool // the last Next returned a change
	opened   bool // the last Next took a unit
}

// NewLossless returns an inbox that is full if more than limit changes are pending. onInitial is
// called when the initial list has been delivered.
func NewLossless[T metav1.Object](limit int, c *Clock, onInitial func()) *Lossless[T] {
	return &Lossless[T]{limit: int64(limit), clock: c, Room: ctxsync.NewSignal(), onInitial: onInitial}
}

// Put does not count the changes of a list toward the limit. They cannot exceed the number of objects,
// and if they counted, the store would stop until a slow handler had processed them all. A list counts
// if another list is still pending. Lists of the initial list never count: there is one for each source.
func (b *Lossless[T]) Put(d *Delivery[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	u := b.spare
	if b.spare = nil; u == nil {
		u = new(unit[T])
	}
	*u = unit[T]{changes: d.Changes, initial: d.Initial, last: d.Last, came: b.clock.Ticked()}
	u.list = d.List && (b.lists == 0 || d.Initial && !b.complete)
	b.complete = b.complete || d.Last
	if u.list {
		b.lists++
	} else {
		u.counted = true
		b.pending.Add(int64(len(d.Changes)))
	}
	b.total.Add(int64(len(d.Changes)))
	b.append(u)
}

// append requires b.mu.
func (b *Lossless[T]) append(u *unit[T]) {
	if b.first == nil {
		b.first = u
	} else {
		b.final.next = u
	}
	b.final = u
}

// List implements Inbox.
func (b *Lossless[T]) List(r Reader[T], last bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complete = b.complete || last
	b.replay(&unit[T]{snapshot: r, initial: true, last: last})
}

// Resync does nothing if a resync is pending.
func (b *Lossless[T]) Resync(r Reader[T]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.resyncing {
		b.resyncing = true
		b.replay(&unit[T]{snapshot: r, resync: true})
	}
}

// replay appends the objects of a snapshot. It requires b.mu.
func (b *Lossless[T]) replay(u *unit[T]) {
	u.unread, u.came = true, b.clock.Ticked()
	b.total.Add(int64(u.len()))
	b.append(u)
}

// Next implements Inbox.
func (b *Lossless[T]) Next() (c Change[T], inInitialList, ok bool) {
	b.Settle()
	b.opened = b.current == nil
	for b.current == nil {
		if b.current = b.take(); b.current == nil {
			return c, false, false
		}
		b.finishUnit() // if it is empty
	}
	u := b.current
	c = u.changes[u.at]
	u.at++
	b.inFlight = true
	return c, u.initial, true
}

// Waited implements Inbox.
func (b *Lossless[T]) Waited() bool { return b.opened }

// take removes and returns the oldest unit, or nil.
func (b *Lossless[T]) take() *unit[T] {
	b.mu.Lock()
	u := b.first
	if u == nil {
		b.mu.Unlock()
		return nil
	}
	b.since = u.came
	if b.first, u.next = u.next, nil; b.first == nil {
		b.final = nil
	}
	b.mu.Unlock()
	if u.unread {
		u.expand(u.read())
	}
	return u
}

// Settle implements Inbox.
func (b *Lossless[T]) Settle() {
	if !b.inFlight {
		return
	}
	b.inFlight = false
	b.total.Add(-1)
	if b.current.counted && b.pending.Add(-1) == b.limit {
		b.Room.Raise()
	}
	b.finishUnit()
}

// finishUnit drops the current unit if all its calls have been made.
func (b *Lossless[T]) finishUnit() {
	u := b.current
	if u.len() > 0 {
		return
	}
	b.current = nil
	b.mu.Lock()
	b.since = 0
	if u.resync {
		b.resyncing = false
	}
	if u.list {
		b.lists--
	}
	last := u.last
	u.changes, b.spare = nil, u
	b.mu.Unlock()
	if last {
		b.onInitial()
	}
}

// Full implements Inbox.
func (b *Lossless[T]) Full() bool { return b.pending.Load() > b.limit }

// Waiting implements Inbox.
func (b *Lossless[T]) Waiting() (n int, since int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	since = b.since
	if since == 0 && b.first != nil {
		since = b.first.came
	}
	return int(b.total.Load()), since
}
