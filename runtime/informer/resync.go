// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "time"

// ticks returns a channel that is sent to each time that period has passed, nil if it is
// 0, and what ends that. Ticks that nobody has received are one.
func ticks(period time.Duration) (due <-chan time.Time, stop func()) {
	if period <= 0 {
		return nil, func() {}
	}
	ticker := time.NewTicker(period)
	return ticker.C, ticker.Stop
}

// resync has a handler be told again of everything that exists.
func (i *Informer[T]) resync(l *listener[T]) {
	i.clock.tick()
	i.mu.Lock()
	defer i.mu.Unlock()
	switch {
	case i.applying:
		i.resyncing = append(i.resyncing, l)
	case i.hasSynced:
		i.repeat(l)
	}
}

// repeat is resync when the store is not ahead of the listeners. The lock must be
// held.
func (i *Informer[T]) repeat(l *listener[T]) {
	l.inbox.replay(i.store.Reader().Snapshot(), false, false)
	l.wake.Raise()
}
