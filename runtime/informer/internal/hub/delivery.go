// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Delivery holds changes that come at once. The inboxes own its Changes together. Old of a change is the state
// of which the handler was last notified.
type Delivery[T metav1.Object] struct {
	Changes  []store.Change[T]
	List     bool // the changes are from a list
	Initial  bool // they are part of the initial list of handlers
	Last     bool // the initial list ends with them: the informer has synced
	Released bool // a part of the source was removed

	came int64 // see Hub.Now

	// after is a snapshot of the store. It holds the changes that were put, these included, and no others.
	after reader[T]
	// whole means that Changes is made of all objects of after when it is delivered: the initial list of a late
	// handler, which comes first, or a resync.
	whole, resync bool

	free bool // of a lossless: does not count toward the limit
}

// len returns the number of changes.
func (d *Delivery[T]) len() int {
	if d.whole {
		return d.after.Len()
	}
	return len(d.Changes)
}

// read returns the changes of a whole snapshot.
func (d *Delivery[T]) read() []store.Change[T] {
	changes := make([]store.Change[T], 0, d.after.Len())
	for obj := range d.after.All() {
		c := store.Change[T]{New: obj, Type: store.Added}
		if d.resync {
			c.Old, c.Type = obj, store.Updated
		}
		changes = append(changes, c)
	}
	return changes
}

// Deliver passes what write changes to all inboxes. write writes a batch to the store and returns its changes. Writes
// run one at a time. Then Deliver admits the handlers that were added meanwhile, and does the resyncs that became due.
// It returns the cause of ctx, without a write, if ctx ends while it waits for another write.
//
// A caller that reads a source then waits, by AwaitRoom, for the handlers that are too far behind.
func (h *Hub[T]) Deliver(ctx context.Context, write func() Delivery[T]) error {
	if err := h.writing.Lock(ctx); err != nil {
		return err
	}
	defer h.writing.Unlock()
	h.setAhead()
	d := write()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.synced, d.came, d.after = h.synced || d.Last, h.Now(), h.cfg.Objects().Snapshot()
	if len(d.Changes) > 0 || d.Last {
		for _, l := range h.listeners {
			l.inbox.Put(&d)
			l.wake.Raise()
		}
	}
	h.ahead = false
	for _, l := range h.joining {
		h.admit(l)
	}
	for _, l := range h.resyncing {
		h.putResync(l)
	}
	h.joining, h.resyncing = nil, nil
	return nil
}

// setAhead records that the store may be ahead of the inboxes from now on.
func (h *Hub[T]) setAhead() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ahead = true
}

// inbox holds the deliveries that wait for one handler. Put, Full and Waiting may be called at any time. The other
// methods are called by one goroutine at a time, the one that calls the handler. None blocks.
type inbox[T metav1.Object] interface {
	Put(d *Delivery[T])
	// Next returns the next calls to make. Those that it returned before have been made.
	Next() (d Delivery[T], ok bool)
	// Called is called after each call.
	Called()
	// Full reports whether more changes are pending than should be.
	Full() bool
	// Waiting returns the number of pending changes, including the one of the current call, and the time at which
	// the oldest came, 0 if there is none.
	Waiting() (n int, since int64)
	// Discard drops what is pending, because the handler was removed. Nothing is put afterwards. With all, it
	// also drops what Next has returned. Without, it may be called at any time.
	Discard(all bool)
}

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

// drain calls the handler until the inbox is empty, and returns true then. It returns false if
// no further call may begin, and after a panic of the handler that OnPanic was notified of. Without OnPanic, and
// outside of the handler, the panic goes on and ends the program.
func (l *Listener[T]) drain(ctx context.Context, resync <-chan time.Time) (idle bool) {
	calling := false
	began := int64(0) // when the current call began
	defer func() {
		l.timings.calling.Store(0)
		if !calling {
			return
		}
		l.returned(began)
		if l.hub.cfg.OnPanic == nil {
			return
		}
		if v := recover(); v != nil { // and not runtime.Goexit
			l.timings.panics.Add(1)
			l.hub.cfg.OnPanic(l.opts.Name, v, debug.Stack())
		}
	}()
	for d := &l.current; !l.ending(ctx); {
		if len(d.Changes) == 0 {
			select {
			case <-resync:
				l.hub.resync(l)
			default:
			}
			var ok bool
			if *d, ok = l.inbox.Next(); !ok {
				return true
			}
			l.settle()
			began = l.hub.Now()
			continue
		}
		if began == 0 {
			began = l.hub.Now()
		}
		c := d.Changes[0]
		d.Changes = d.Changes[1:]
		l.timings.calling.Store(began)
		calling = true
		l.opts.Call(c, d.Initial)
		calling = false
		began = l.returned(began) // accurate enough as the start of the next call
	}
	return false
}

// settle closes synced when the last call for the initial list has been made.
func (l *Listener[T]) settle() {
	if l.current.Last && len(l.current.Changes) == 0 && !ctxsync.IsClosed(l.synced) {
		close(l.synced)
	}
}

// returned counts a call that began at began, and returns the current time.
func (l *Listener[T]) returned(began int64) int64 {
	l.inbox.Called()
	l.settle()
	now := l.hub.Now()
	l.timings.calls.Observe(time.Duration(now - began))
	return now
}
