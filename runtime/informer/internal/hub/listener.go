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

// Settings are those of one handler.
type Settings struct {
	Name     string
	Buffer   int // of a lossless handler
	Coalesce bool
	Resync   time.Duration // 0: none
}

// Options are those of one handler.
type Options[T any] struct {
	Settings
	Call  func(c store.Change[T], inInitialList bool)
	Label string // Name, or the type of the handler
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

// Listener delivers changes to one handler. It begins with Hub.Add, and ends with Remove. In each run of the hub it
// has a goroutine.
type Listener[T metav1.Object] struct {
	hub     *Hub[T]
	opts    Options[T]
	timings timings
	inbox   inbox[T]
	room    ctxsync.Signal // raised when inbox is no longer full
	wake    ctxsync.Signal // raised when inbox is not empty, and when calls are to end

	removed chan struct{} // closed by Remove
	synced  chan struct{} // closed when the initial list has been delivered

	// ended is closed when the goroutine that calls the handler ends; nil if there is none. hub.mu guards it.
	ended chan struct{}

	// current is what is being delivered, without the calls that were made. The goroutine that calls the handler
	// uses it.
	current Delivery[T]
}

func newListener[T metav1.Object](h *Hub[T], o Options[T]) *Listener[T] {
	l := &Listener[T]{
		hub: h, opts: o, wake: ctxsync.NewSignal(), room: ctxsync.NewSignal(),
		removed: make(chan struct{}), synced: make(chan struct{}),
	}
	if l.inbox = (&lossless[T]{limit: int64(o.Buffer), room: l.room}); o.Coalesce {
		l.inbox = &coalescing[T]{}
	}
	return l
}

// Synced is closed when the initial list has been delivered.
func (l *Listener[T]) Synced() <-chan struct{} { return l.synced }

// Removed is closed by Remove.
func (l *Listener[T]) Removed() <-chan struct{} { return l.removed }

// Label returns the name of the handler, or else its type, for errors.
func (l *Listener[T]) Label() string { return l.opts.Label }

// isRemoved reports whether the handler was removed.
func (l *Listener[T]) isRemoved() bool { return ctxsync.IsClosed(l.removed) }

// start calls the handler on a goroutine, until the run ends or the handler is removed. It requires hub.mu, that
// there is a run, and that the handler was not removed.
func (l *Listener[T]) start() {
	l.ended = make(chan struct{})
	l.hub.calling = append(l.hub.calling, l)
	ctx := l.hub.run
	l.hub.done.Go(func() { l.run(ctx) })
}

// run calls the handler until ctx ends or the handler is removed. A panic of the handler does not end it.
func (l *Listener[T]) run(ctx context.Context) {
	defer l.hub.leave(l)
	var resync <-chan time.Time
	if l.opts.Resync > 0 {
		ticker := time.NewTicker(l.opts.Resync)
		defer ticker.Stop()
		resync = ticker.C
	}
	for !l.ending(ctx) {
		if !l.drain(ctx, resync) {
			continue
		}
		select {
		case <-l.wake:
		case <-resync:
			l.hub.resync(l)
		}
	}
}

// ending reports whether no further call may begin. It runs before every call of the handler, so it
// checks the channels one by one: that takes no lock, and a select over both would.
func (l *Listener[T]) ending(ctx context.Context) bool {
	return l.isRemoved() || ctxsync.IsClosed(ctx.Done())
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
