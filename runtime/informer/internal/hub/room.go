// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package hub

import (
	"context"
	"log/slog"
	"time"
)

// awaitRoom waits until the inbox is not full.
func (l *Listener[T]) awaitRoom(ctx context.Context) {
	if !l.isFull() {
		return
	}
	began := l.hub.clock.Read()
	l.timings.blocking.Store(began)
	late, stop := l.hub.cfg.Log.Lateness()
	defer func() {
		stop()
		l.timings.blocking.Store(0)
		l.timings.blocked.Add(int64(age(l.hub.clock.Read(), began)))
	}()
	warned := false
	for l.inbox.Full() {
		select {
		case <-l.room:
		case <-late:
			l.log(slog.LevelWarn, "handler blocks the informer", age(l.hub.clock.Read(), began))
			warned = true
		case <-l.removed:
			return
		case <-ctx.Done():
			return
		}
	}
	if warned {
		l.log(slog.LevelInfo, "handler no longer blocks the informer", age(l.hub.clock.Read(), began))
	}
}

// log writes a record about a handler that blocks the informer, or did, for d.
func (l *Listener[T]) log(level slog.Level, text string, d time.Duration) {
	pending, _ := l.inbox.Waiting()
	l.hub.cfg.Log.Write(level, text,
		slog.String("handler", l.opts.Name), slog.Int("pending", pending), slog.Duration("for", d))
}
