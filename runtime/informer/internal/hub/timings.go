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
)

// timings are the counters of a listener.
type timings struct {
	calls   metrics.Timing
	calling atomic.Int64 // start of the current call, 0 if there is none
	panics  atomic.Int64

	blocked  atomic.Int64
	blocking atomic.Int64 // start of the current wait for the handler, 0 if there is none
}

// Stats returns statistics.
func (l *Listener[T]) Stats() metrics.Handler {
	now := l.hub.Now()
	s := metrics.Handler{
		Name: l.opts.Name, Calls: l.timings.calls.Distribution(),
		Blocked: time.Duration(l.timings.blocked.Load()) + age(now, l.timings.blocking.Load()),
		Panics:  int(l.timings.panics.Load()), Calling: l.CallLasts(), Synced: ctxsync.IsClosed(l.synced),
	}
	if !l.isRemoved() {
		pending, oldest := l.inbox.Waiting()
		s.Pending, s.Oldest = pending, age(now, oldest)
	}
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

// awaitRoom waits until the inbox is not full.
func (l *Listener[T]) awaitRoom(ctx context.Context) {
	if !l.inbox.Full() {
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
