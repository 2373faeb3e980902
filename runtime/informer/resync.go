// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"time"
)

// ticks returns the channel of a ticker, or nil if period is 0.
func ticks(period time.Duration) (due <-chan time.Time, stop func()) {
	if period <= 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(period)
	return ticker.C, ticker.Stop
}

// resync notifies a handler again of every object. It waits for the batch that is being applied, since
// the store may be ahead of the listeners until then.
func (i *Informer[T]) resync(ctx context.Context, l *listener[T]) {
	if i.turn.Lock(ctx) != nil {
		return
	}
	defer i.turn.Unlock()
	i.clock.Tick()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.hasSynced {
		l.inbox.Replay(i.store.Reader().Snapshot(), false, false)
		l.wake.Raise()
	}
}
