// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// timings are the counters of a listener.
type timings struct {
	calls   metrics.Timing
	calling atomic.Int64 // start of the current call, 0 if there is none
	panics  atomic.Int64

	blocked  atomic.Int64
	blocking atomic.Int64 // start of the current wait for the handler, 0 if there is none
}

// returned counts a call that began at began, and returns the current time.
func (l *Listener[T]) returned(began int64) int64 {
	now := l.hub.Now()
	l.timings.calls.Observe(time.Duration(now - began))
	return now
}

// Stats returns statistics.
func (l *Listener[T]) Stats() metrics.Handler {
	now := l.hub.Now()
	s := metrics.Handler{
		Name: l.opts.Name, Calls: l.timings.calls.Distribution(),
		Blocked: time.Duration(l.timings.blocked.Load()) + age(now, l.timings.blocking.Load()),
		Panics:  int(l.timings.panics.Load()), Calling: l.CallLasts(), Synced: ctxsync.IsClosed(l.synced),
	}
	var oldest int64
	s.Pending, oldest = l.inbox.Waiting()
	s.Oldest = age(now, oldest)
	return s
}

// CallLasts returns how long the current call has lasted, 0 if there is none.
func (l *Listener[T]) CallLasts() time.Duration {
	return age(l.hub.Now(), l.timings.calling.Load())
}

// age returns the time since a clock reading, or 0 if that is 0.
func age(now, then int64) time.Duration {
	if then == 0 {
		return 0
	}
	return time.Duration(max(now-then, 0))
}
