// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listener calls one handler.
type listener[T metav1.Object] struct {
	informer *Informer[T]
	handler  Handler[T] // nil if somebody ranges over the changes instead
	opts     handlerOptions
	clock    *clock
	timings  timings
	calls    goroutine
	inbox    inbox[T]
	room     ctxsync.Signal // nil if nobody ever waits for the handler
	wake     ctxsync.Signal // raised when inbox has got something

	removed chan struct{} // closed by Remove
	synced  chan struct{} // closed when the initial list has been delivered
	once    sync.Once     // closes synced

	mu    sync.Mutex
	gone  bool          // removed is closed
	ended chan struct{} // closed when the goroutine that calls the handler has; nil without one
}

func newListener[T metav1.Object](i *Informer[T], h Handler[T], opts handlerOptions) *listener[T] {
	l := &listener[T]{
		informer: i, handler: h, opts: opts, clock: i.clock, wake: ctxsync.NewSignal(),
		removed: make(chan struct{}), synced: make(chan struct{}),
	}
	initial := func() { l.once.Do(func() { close(l.synced) }) }
	if opts.coalesce {
		l.inbox = newCoalescing[T](i.clock, initial)
		return l
	}
	if opts.buffer <= 0 {
		opts.buffer = DefaultBuffer
	}
	b := newLossless[T](opts.buffer, i.clock, initial)
	l.inbox, l.room = b, b.room
	return l
}

// start begins to call the handler, until r ends or the handler is removed.
func (l *listener[T]) start(r *run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone || l.handler == nil {
		return
	}
	s := shift{run: r, ended: make(chan struct{})}
	s.resync, s.rest = ticks(l.opts.resync)
	l.ended = s.ended
	r.done.Go(func() { l.run(s) })
}

// remove has no further call begin. It returns a channel that is closed when the last
// one has returned.
func (l *listener[T]) remove() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.gone {
		l.gone = true
		close(l.removed)
	}
	if l.ended == nil {
		closed := make(chan struct{})
		close(closed)
		return closed
	}
	return l.ended
}

// awaitRoom returns when no more than allowed is waiting for the handler.
func (l *listener[T]) awaitRoom(ctx context.Context) {
	l.warnOfLongCall()
	if l.room == nil || !l.inbox.full() {
		return
	}
	began := l.clock.read()
	l.timings.blocking.Store(began)
	late, stop := l.informer.journal.lateness()
	defer func() {
		stop()
		l.timings.blocking.Store(0)
		l.timings.blocked.Add(int64(age(l.clock.read(), began)))
	}()
	warned := false
	for l.inbox.full() {
		select {
		case <-l.room:
		case <-late:
			l.warnOfBlocking(age(l.clock.read(), began))
			warned = true
		case <-l.removed:
			return
		case <-ctx.Done():
			return
		}
	}
	if warned {
		l.noteUnblocked(age(l.clock.read(), began))
	}
}

// shift is the time in which a listener calls its handler in one run.
type shift struct {
	run    *run
	resync <-chan time.Time // when the handler wants a resync
	rest   func()           // ends that
	ended  chan struct{}    // closed when the goroutine ends
}

// run calls the handler for what comes into the inbox. A handler that panics does not end this.
func (l *listener[T]) run(s shift) {
	l.calls.enter()
	defer l.informer.forget(l) // after ended is closed; see drop
	defer close(s.ended)
	defer s.rest()
	defer l.calls.leave()
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

// ending reports whether no further call may begin. It is asked before every call; a
// look at one channel takes no lock, one at two together would.
func (l *listener[T]) ending(r *run) bool {
	return isClosed(l.removed) || isClosed(r.ctx.Done())
}

// drain makes calls until there is nothing left to tell, and reports true then; false
// after a panic, and if no further call may begin.
//
// If someone is told, a panic of the handler ends here; if not, it goes on and ends
// the program, as everywhere in Go.
func (l *listener[T]) drain(s shift) (idle bool) {
	returned := false
	began := l.clock.read()
	defer func() {
		l.timings.calling.Store(0)
		l.inbox.settle()
		if returned {
			return
		}
		l.timings.panics.Add(1)
		l.returned(began)
		if l.informer.opts.errorHandler == nil {
			return // the panic goes on: nobody else would hear of it
		}
		if v := recover(); v != nil {
			l.informer.tell(panicError(l.opts.name, v))
		}
	}()
	for !l.ending(s.run) {
		asked := false
		select {
		case <-s.resync:
			l.informer.resync(l)
			asked = true
		default:
		}
		c, initial, ok := l.inbox.next()
		if !ok {
			returned = true
			return true
		}
		if isClosed(l.removed) { // while next was preparing a list, say
			returned = true
			return false
		}
		if asked || l.inbox.waited() { // else a call begins when the one before has returned
			began = l.clock.read()
		}
		l.timings.calling.Store(began)
		call(l.handler, c, initial)
		began = l.returned(began)
	}
	returned = true
	return false
}
