// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "time"

// ticks returns the channel of a ticker, or nil if period is 0.
func ticks(period time.Duration) (due <-chan time.Time, stop func()) {
	if period <= 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(period)
	return ticker.C, ticker.Stop
}

// resync notifies a handler again of every object.
func (i *Informer[T]) resync(l *listener[T]) {
	i.clock.Tick()
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.applying:
		i.resyncing = append(i.resyncing, l)
	case i.hasSynced:
		i.repeat(l)
	}
}

// repeat queues the resync. It must not be called while a batch is in the store but not yet in the
// inboxes (i.applying). It requires i.mu.
func (i *Informer[T]) repeat(l *listener[T]) {
	l.inbox.Replay(i.store.Reader().Snapshot(), false, false)
	l.wake.Raise()
}
