// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Settings are what the HandlerOptions set.
type Settings struct {
	Name     string
	Buffer   int // of a lossless handler
	Coalesce bool
	Resync   time.Duration // 0: none
}

// Options are Settings and the function to call.
type Options[T any] struct {
	Settings
	// Call notifies the handler of one change. It is called on the goroutine of the listener.
	Call  func(c store.Change[T], inInitialList bool)
	Label string // Name, or the type of the handler
}

// Listener delivers changes to one handler. It begins with Hub.Add, and ends with Remove. In each run of the hub it
// has a goroutine.
type Listener[T metav1.Object] struct {
	hub     *Hub[T]
	opts    Options[T]
	timings timings
	inbox   inbox[T]       // lossless, unless Settings.Coalesce
	room    ctxsync.Signal // raised when inbox is no longer full
	wake    ctxsync.Signal // raised when inbox is not empty, and when calls are to end

	removed chan struct{} // closed by Remove
	synced  chan struct{} // closed when the initial list has been delivered

	// runEnded is closed when the goroutine that calls the handler ends; nil if there is none. hub.mu guards it.
	runEnded chan struct{}

	// current is what is being delivered, without the calls that were made. The goroutine that calls the handler
	// uses it.
	current Delivery[T]
}

func newListener[T metav1.Object](h *Hub[T], o Options[T]) *Listener[T] {
	l := &Listener[T]{
		hub: h, opts: o, wake: ctxsync.NewSignal(), room: ctxsync.NewSignal(),
		removed: make(chan struct{}), synced: make(chan struct{}),
	}
	if l.inbox = (&losslessInbox[T]{maxCountedChanges: int64(o.Buffer), room: l.room}); o.Coalesce {
		l.inbox = &coalescingInbox[T]{}
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
	l.runEnded = make(chan struct{})
	l.hub.runningListeners = append(l.hub.runningListeners, l)
	ctx := l.hub.runCtx
	l.hub.runGroup.Go(func() { l.run(ctx) })
}

// timings are the counters of a listener.
type timings struct {
	calls            metrics.Timing
	callStartHubTime atomic.Int64 // start of the current call, 0 if there is none
	panics           atomic.Int64

	blockedTotal        atomic.Int64
	blockedSinceHubTime atomic.Int64 // start of the current wait for the handler, 0 if there is none
}

// Stats returns statistics.
func (l *Listener[T]) Stats() metrics.Handler {
	now := l.hub.Now()
	s := metrics.Handler{
		Name: l.opts.Name, Calls: l.timings.calls.Distribution(),
		Blocked: time.Duration(l.timings.blockedTotal.Load()) + age(now, l.timings.blockedSinceHubTime.Load()),
		Panics:  int(l.timings.panics.Load()), Calling: age(now, l.timings.callStartHubTime.Load()), Synced: ctxsync.IsClosed(l.synced),
	}
	if !l.isRemoved() {
		pending, oldest := l.inbox.Waiting()
		s.Pending, s.Oldest = pending, age(now, oldest)
	}
	return s
}

// age returns the time since a clock reading, or 0 if that is 0.
func age(now, then int64) time.Duration {
	if then == 0 {
		return 0
	}
	return time.Duration(max(now-then, 0))
}

// awaitRoom waits until the inbox is not full.
func (l *Listener[T]) awaitRoom(ctx context.Context) {
	if !l.inbox.Full() {
		return
	}
	began := l.hub.Now()
	l.timings.blockedSinceHubTime.Store(began)
	late, stop := l.hub.cfg.Log.Lateness()
	defer func() {
		stop()
		l.timings.blockedSinceHubTime.Store(0)
		l.timings.blockedTotal.Add(int64(age(l.hub.Now(), began)))
	}()
	warned := false
	for l.inbox.Full() {
		select {
		case <-l.room:
		case <-late:
			l.logBlocking(slog.LevelWarn, "handler blocks the informer", age(l.hub.Now(), began))
			warned = true
		case <-l.removed:
			return
		case <-ctx.Done():
			return
		}
	}
	if warned {
		l.logBlocking(slog.LevelInfo, "handler no longer blocks the informer", age(l.hub.Now(), began))
	}
}

// logBlocking writes a record about a handler that blocks the informer, or did, for d.
func (l *Listener[T]) logBlocking(level slog.Level, text string, d time.Duration) {
	pending, _ := l.inbox.Waiting()
	l.hub.cfg.Log.Write(level, text,
		slog.String("handler", l.opts.Name), slog.Int("pending", pending), slog.Duration("for", d))
}
