// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
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

// inbox holds the deliveries that wait for one handler. Put never blocks. The other methods but
// Full and Waiting are called by one goroutine at a time, the one that calls the handler.
type inbox[T metav1.Object] interface {
	Put(d *Delivery[T])
	// Next returns the next call to make. The call that it returned before has been made.
	Next() (c store.Change[T], inInitialList, ok bool)
	// Waited reports whether the last Next waited for a lock or prepared a list.
	Waited() bool
	// Settle is called when the call that Next returned has been made.
	Settle()
	// Discard drops what is pending, because the handler was removed. Nothing is put afterwards. With all, which
	// requires that no call is being made, it drops everything.
	Discard(all bool)
	// Full reports whether more changes are pending than should be.
	Full() bool
	// Waiting returns the number of pending changes, including the one that the last Next
	// returned, and the time at which the oldest came, 0 if there is none.
	Waiting() (n int, since int64)
}

// Listener delivers changes to one handler.
type Listener[T metav1.Object] struct {
	hub     *Hub[T]
	opts    Options[T]
	timings timings
	inbox   inbox[T]
	room    ctxsync.Signal // raised when inbox is no longer full; nil if it never is
	wake    ctxsync.Signal // raised when inbox is not empty, and when calls are to end

	removed chan struct{} // closed by Remove
	synced  chan struct{} // closed when the initial list has been delivered
	once    sync.Once     // closes synced

	// ended is closed when the goroutine that calls the handler ends; nil if there is none. hub.mu guards it.
	ended chan struct{}
}

func newListener[T metav1.Object](h *Hub[T], o Options[T]) *Listener[T] {
	l := &Listener[T]{
		hub: h, opts: o, wake: ctxsync.NewSignal(), removed: make(chan struct{}), synced: make(chan struct{}),
	}
	onInitial := func() { l.once.Do(func() { close(l.synced) }) }
	if o.Coalesce {
		l.inbox = newCoalescing[T](onInitial)
		return l
	}
	b := newLossless[T](o.Buffer, onInitial)
	l.inbox, l.room = b, b.room
	return l
}

// Synced is closed when the initial list has been delivered.
func (l *Listener[T]) Synced() <-chan struct{} { return l.synced }

// Removed is closed by Remove.
func (l *Listener[T]) Removed() <-chan struct{} { return l.removed }

// isRemoved reports whether the handler was removed.
func (l *Listener[T]) isRemoved() bool { return ctxsync.IsClosed(l.removed) }

// start calls the handler on a goroutine, until r ends or the handler is removed. It requires hub.mu, and
// that the handler was not removed.
func (l *Listener[T]) start(r *run) {
	s := shift{run: r}
	s.resync, s.stopResync = ticks(l.opts.Resync)
	l.ended = make(chan struct{})
	l.hub.calling = append(l.hub.calling, l)
	r.done.Go(func() { l.run(s) })
}

// isFull reports whether a source must wait for the handler.
func (l *Listener[T]) isFull() bool { return l.room != nil && l.inbox.Full() }

// Label returns the name of the handler, or else its type, for errors.
func (l *Listener[T]) Label() string { return l.opts.Label }

// awaitRoom waits until the inbox is not full.
func (l *Listener[T]) awaitRoom(ctx context.Context) {
	if !l.isFull() {
		return
	}
	began := l.hub.Now()
	l.timings.blocking.Store(began)
	late, stop := l.hub.cfg.Log.Lateness()
	defer func() {
		stop()
		l.timings.blocking.Store(0)
		l.timings.blocked.Add(int64(age(l.hub.Now(), began)))
	}()
	warned := false
	for l.inbox.Full() {
		select {
		case <-l.room:
		case <-late:
			l.log(slog.LevelWarn, "handler blocks the informer", age(l.hub.Now(), began))
			warned = true
		case <-l.removed:
			return
		case <-ctx.Done():
			return
		}
	}
	if warned {
		l.log(slog.LevelInfo, "handler no longer blocks the informer", age(l.hub.Now(), began))
	}
}

// log writes a record about a handler that blocks the informer, or did, for d.
func (l *Listener[T]) log(level slog.Level, text string, d time.Duration) {
	pending, _ := l.inbox.Waiting()
	l.hub.cfg.Log.Write(level, text,
		slog.String("handler", l.opts.Name), slog.Int("pending", pending), slog.Duration("for", d))
}

// shift is the part of one run in which a listener calls its handler.
type shift struct {
	run        *run
	resync     <-chan time.Time // due resyncs
	stopResync func()
}

// run calls the handler until the shift is over. A panic of the handler does not end it.
func (l *Listener[T]) run(s shift) {
	defer l.hub.leave(l)
	defer s.stopResync()
	for !l.ending(s.run) {
		if !l.drain(s) {
			continue
		}
		select {
		case <-l.wake:
		case <-s.resync:
			l.hub.resync(l)
		}
	}
}

// ending reports whether no further call may begin. It runs before every call of the handler, so it
// checks the channels one by one: that takes no lock, and a select over both would.
func (l *Listener[T]) ending(r *run) bool {
	return l.isRemoved() || ctxsync.IsClosed(r.ctx.Done())
}

// drain calls the handler until the inbox is empty, and returns true then. It returns false if
// no further call may begin, and after a panic of the handler that OnPanic was notified of. Without OnPanic, and
// outside of the handler, the panic goes on and ends the program.
func (l *Listener[T]) drain(s shift) (idle bool) {
	calling := false
	began := int64(0) // when the current call began, or the last one returned
	defer func() {
		l.timings.calling.Store(0)
		l.inbox.Settle()
		if !calling || l.hub.cfg.OnPanic == nil {
			return
		}
		if v := recover(); v != nil { // and not runtime.Goexit
			l.timings.panics.Add(1)
			l.returned(began)
			l.hub.cfg.OnPanic(l.opts.Name, v, debug.Stack())
		}
	}()
	for !l.ending(s.run) {
		resynced := false
		select {
		case <-s.resync:
			l.hub.resync(l)
			resynced = true
		default:
		}
		c, initial, ok := l.inbox.Next()
		if !ok {
			return true
		}
		if l.isRemoved() { // the handler was removed while Next was reading a snapshot
			break
		}
		// Otherwise the time at which the last call returned is accurate enough as the start of this one.
		if began == 0 || resynced || l.inbox.Waited() {
			began = l.hub.Now()
		}
		l.timings.calling.Store(began)
		calling = true
		l.opts.Call(c, initial)
		calling = false
		began = l.returned(began)
	}
	return false
}

// ticks returns the channel of a ticker, or nil if period is 0.
func ticks(period time.Duration) (due <-chan time.Time, stop func()) {
	if period <= 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(period)
	return ticker.C, ticker.Stop
}
