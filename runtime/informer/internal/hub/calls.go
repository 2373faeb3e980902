// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"runtime/debug"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// shift is the part of one run in which a listener calls its handler.
type shift struct {
	run        *run
	resync     <-chan time.Time // due resyncs
	stopResync func()
	ended      chan struct{} // closed when the goroutine ends
}

// run calls the handler until the shift is over. A panic of the handler does not end it.
func (l *Listener[T]) run(s shift) {
	defer l.hub.leave(l)
	defer close(s.ended)
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
	return ctxsync.IsClosed(l.removed) || ctxsync.IsClosed(r.ctx.Done())
}

// drain calls the handler until the inbox is empty, and returns true then. It returns false if
// no further call may begin, and after a panic that OnPanic was notified of. Without OnPanic the panic
// goes on and ends the program.
func (l *Listener[T]) drain(s shift) (idle bool) {
	returned := false
	began := int64(0) // when the current call began, or the last one returned
	defer func() {
		l.timings.calling.Store(0)
		l.inbox.Settle()
		if returned {
			return
		}
		l.timings.panics.Add(1)
		l.returned(began)
		if l.hub.cfg.OnPanic == nil {
			return
		}
		if v := recover(); v != nil {
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
			returned = true
			return true
		}
		if ctxsync.IsClosed(l.removed) { // the handler was removed while Next was reading a snapshot
			break
		}
		// Otherwise the time at which the last call returned is accurate enough as the start of this one.
		if began == 0 || resynced || l.inbox.Waited() {
			began = l.hub.clock.Read()
		}
		l.timings.calling.Store(began)
		l.opts.Call(c, initial)
		began = l.returned(began)
	}
	returned = true
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
