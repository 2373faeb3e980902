// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// HandlerStats is how a handler keeps up with its informer.
type HandlerStats struct {
	Name string // of WithHandlerName
	// Pending is how many calls are to be made, or under way, for what has happened so
	// far; of the entries of a coalescing handler, each counts as one.
	Pending int
	// Oldest is for how long the first of them has waited, 0 if there is none.
	Oldest time.Duration
	// Calling is for how long the call under way has lasted, 0 if there is none. Of a
	// sequence of Changes, it is how long the consumer has had the batch.
	Calling time.Duration
	// Calls is how long the calls took that have returned, and how many there were.
	Calls metrics.Distribution
	// Blocked is for how long the informer has waited for the handler, in total.
	Blocked time.Duration
	Panics  int  // calls that have panicked
	Synced  bool // it has been told all of the initial list
}

// timings is what a listener counts about its handler.
type timings struct {
	calls   metrics.Timing
	calling atomic.Int64 // when the call under way began, 0 if there is none
	panics  atomic.Int64

	blocked  atomic.Int64
	blocking atomic.Int64 // since when the informer waits for the handler, 0 if it does not

	warned int64 // the call that was reported to last for long; its beginning
}

// returned counts a call that began at a time, and returns when that was over.
func (l *listener[T]) returned(began int64) int64 {
	now := l.clock.read()
	l.timings.calls.Observe(time.Duration(now - began))
	return now
}

// stats returns how the listener's handler keeps up.
func (l *listener[T]) stats() HandlerStats {
	now := l.clock.read()
	s := HandlerStats{
		Name: l.opts.name, Calls: l.timings.calls.Distribution(), Blocked: time.Duration(l.timings.blocked.Load()) + age(now, l.timings.blocking.Load()),
		Panics: int(l.timings.panics.Load()), Calling: age(now, l.timings.calling.Load()),
	}
	var oldest int64
	s.Pending, oldest = l.inbox.waiting()
	s.Oldest = age(now, oldest)
	select {
	case <-l.synced:
		s.Synced = true
	default:
	}
	return s
}

// age is the time from a clock reading to now, 0 if there was none.
func age(now, then int64) time.Duration {
	if then == 0 {
		return 0
	}
	return time.Duration(max(now-then, 0))
}

// Stats returns how the handler keeps up. It is cheap, and may be called at any time by
// any goroutine, also after the handler was removed.
func (r *Registration) Stats() HandlerStats { return r.stats() }
