// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listener delivers changes to one handler.
type listener[T metav1.Object] struct {
	informer *Informer[T]
	handler  Handler[T]
	opts     handlerOptions
	clock    *inbox.Clock
	timings  timings
	inbox    inbox.Inbox[T]
	room     ctxsync.Signal // raised when inbox is no longer full; nil if it never is
	wake     ctxsync.Signal // raised when inbox is not empty

	removed chan struct{} // closed by remove
	synced  chan struct{} // closed when the initial list has been delivered
	once    sync.Once     // closes synced

	mu    sync.Mutex
	gone  bool          // removed is closed
	ended chan struct{} // closed when no call is running and none will begin; nil if not started
}

func newListener[T metav1.Object](i *Informer[T], h Handler[T], opts handlerOptions) *listener[T] {
	l := &listener[T]{
		informer: i, handler: h, opts: opts, clock: i.clock, wake: ctxsync.NewSignal(),
		removed: make(chan struct{}), synced: make(chan struct{}),
	}
	onInitial := func() { l.once.Do(func() { close(l.synced) }) }
	if opts.coalesce {
		l.inbox = inbox.NewCoalescing[T](i.clock, onInitial)
		return l
	}
	if opts.buffer <= 0 {
		opts.buffer = DefaultBuffer
	}
	b := inbox.NewLossless[T](opts.buffer, i.clock, onInitial)
	l.inbox, l.room = b, b.Room
	return l
}

// start calls the handler on a goroutine, until r ends or the handler is removed. It requires
// the informer's lock.
func (l *listener[T]) start(r *run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		return
	}
	s := shift{run: r, ended: make(chan struct{})}
	s.resync, s.stopResync = ticks(l.opts.resync)
	l.ended = s.ended
	l.informer.calling = append(l.informer.calling, l)
	r.done.Go(func() { l.run(s) })
}

// remove prevents further calls. It returns a channel that is closed when the last call has
// returned.
func (l *listener[T]) remove() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone {
		l.gone = true
		close(l.removed)
	}
	if l.ended == nil {
		return l.removed
	}
	return l.ended
}

// isFull reports whether the informer must wait for the handler.
func (l *listener[T]) isFull() bool { return l.room != nil && l.inbox.Full() }

// awaitRoom waits until the inbox is not full.
func (l *listener[T]) awaitRoom(ctx context.Context) {
	if !l.isFull() {
		return
	}
	began := l.clock.Read()
	l.timings.blocking.Store(began)
	late, stop := l.informer.log.lateness()
	defer func() {
		stop()
		l.timings.blocking.Store(0)
		l.timings.blocked.Add(int64(age(l.clock.Read(), began)))
	}()
	warned := false
	for l.inbox.Full() {
		select {
		case <-l.room:
		case <-late:
			l.logBlocking(slog.LevelWarn, "handler blocks the informer", age(l.clock.Read(), began))
			warned = true
		case <-l.removed:
			return
		case <-ctx.Done():
			return
		}
	}
	if warned {
		l.logBlocking(slog.LevelInfo, "handler no longer blocks the informer", age(l.clock.Read(), began))
	}
}

// shift is the part of one run in which a listener calls its handler.
type shift struct {
	run        *run
	resync     <-chan time.Time // due resyncs
	stopResync func()
	ended      chan struct{} // closed when the goroutine ends
}

// run calls the handler until the shift is over. A panic of the handler does not end it.
func (l *listener[T]) run(s shift) {
	defer l.leave()
	defer close(s.ended)
	defer s.stopResync()
	for !l.ending(s.run) {
		if !l.drain(s) {
			continue
		}
		select {
		case <-l.wake:
		case <-s.resync:
			l.informer.resync(l)
		case <-l.removed:
		case <-s.run.ctx.Done():
		}
	}
}

// leave removes l from the listeners that call their handler.
func (l *listener[T]) leave() {
	i := l.informer
	i.mu.Lock()
	defer i.mu.Unlock()
	i.calling = without(i.calling, l)
}

// ending reports whether no further call may begin. It runs before every call of the handler, so it
// checks the channels one by one: that takes no lock, and a select over both would.
func (l *listener[T]) ending(r *run) bool {
	return isClosed(l.removed) || isClosed(r.ctx.Done())
}

// drain calls the handler until the inbox is empty, and returns true then. It returns false if
// no further call may begin, and after a panic that the error handler was notified of. Without
// an error handler the panic goes on and ends the program.
func (l *listener[T]) drain(s shift) (idle bool) {
	returned := false
	began := l.clock.Read()
	defer func() {
		l.timings.calling.Store(0)
		l.inbox.Settle()
		if returned {
			return
		}
		l.timings.panics.Add(1)
		l.returned(began)
		if l.informer.opts.errorHandler == nil {
			return
		}
		if v := recover(); v != nil {
			l.informer.tell(&PanicError{Handler: l.opts.name, Value: v, Stack: debug.Stack()})
		}
	}()
	for !l.ending(s.run) {
		resynced := false
		select {
		case <-s.resync:
			l.informer.resync(l)
			resynced = true
		default:
		}
		c, initial, ok := l.inbox.Next()
		if !ok {
			returned = true
			return true
		}
		if isClosed(l.removed) { // the handler was removed while Next was reading a snapshot
			break
		}
		// Otherwise the time at which the last call returned is accurate enough as the start of this one.
		if resynced || l.inbox.Waited() {
			began = l.clock.Read()
		}
		l.timings.calling.Store(began)
		call(l.handler, c, initial)
		began = l.returned(began)
	}
	returned = true
	return false
}
