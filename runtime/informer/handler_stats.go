// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// HandlerStats are statistics of one handler.
type HandlerStats struct {
	Name string // of WithHandlerName
	// Pending is the number of pending changes, including the current call. Each entry of a
	// coalescing handler counts as one.
	Pending int
	// Oldest is the age of the oldest pending change, 0 if there is none.
	Oldest time.Duration
	// Calling is how long the current call has lasted, 0 if there is none. For a loop over
	// Changes it is the time since the loop got its batch.
	Calling time.Duration
	// Calls is the distribution of the durations of past calls.
	Calls metrics.Distribution
	// Blocked is the total time that the informer has waited for the handler.
	Blocked time.Duration
	Panics  int  // calls that panicked
	Synced  bool // the handler has returned from the initial list
}

// timings are the counters of a listener.
type timings struct {
	calls   metrics.Timing
	calling atomic.Int64 // start of the current call, 0 if there is none
	panics  atomic.Int64

	blocked  atomic.Int64
	blocking atomic.Int64 // start of the informer's current wait for the handler, 0 if there is none
}

// returned counts a call that began at began, and returns the current time.
func (l *listener[T]) returned(began int64) int64 {
	now := l.clock.read()
	l.timings.calls.Observe(time.Duration(now - began))
	return now
}

func (l *listener[T]) stats() HandlerStats {
	now := l.clock.read()
	s := HandlerStats{
		Name: l.opts.name, Calls: l.timings.calls.Distribution(),
		Blocked: time.Duration(l.timings.blocked.Load()) + age(now, l.timings.blocking.Load()),
		Panics:  int(l.timings.panics.Load()), Calling: age(now, l.timings.calling.Load()),
		Synced: isClosed(l.synced),
	}
	var oldest int64
	s.Pending, oldest = l.inbox.waiting()
	s.Oldest = age(now, oldest)
	return s
}

// age returns the time since a clock reading, or 0 if that is 0.
func age(now, then int64) time.Duration {
	if then == 0 {
		return 0
	}
	return time.Duration(max(now-then, 0))
}
