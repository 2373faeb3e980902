// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"
)

// checks is the number of times that a watchdog checks within its limit.
const checks = 4

// A watchdog cancels a list, or the initial events of a WatchList, when no object has come for a limit,
// or up to a quarter longer. Objects that a source leaves out count. It checks from time to time, so that
// no object costs a reading of the clock.
type watchdog struct {
	fed        atomic.Bool // an object came since the last check
	retired    atomic.Bool
	checkTimer *time.Timer
	cancel     context.CancelCauseFunc
	everFed    bool // an object came; belongs to the goroutine of the request
}

// newWatchdog starts a watchdog for a request with the returned context, which it cancels with cause.
// The caller stops the watchdog.
func newWatchdog(ctx context.Context, limit time.Duration, cause error) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{cancel: cancel}
	every := max(limit/checks, 1)
	idle := 0 // checks since the last object
	w.checkTimer = repeat(every, func() (next time.Duration) {
		if idle++; w.fed.Swap(false) {
			idle = 0
		}
		switch {
		case w.retired.Load():
			return 0
		case idle >= checks:
			cancel(cause)
			return 0
		}
		return every
	})
	return ctx, w
}

// repeat calls f after d, and again after each duration that f returns, until that is 0.
func repeat(d time.Duration, f func() (next time.Duration)) (timer *time.Timer) {
	ready := make(chan struct{})
	defer close(ready)
	timer = time.AfterFunc(d, func() {
		<-ready
		if next := f(); next > 0 {
			timer.Reset(next)
		}
	})
	return timer
}

// feed records an object.
func (w *watchdog) feed() {
	w.everFed = true
	if !w.fed.Load() {
		w.fed.Store(true)
	}
}

// retire ends the supervision. It may be called again.
func (w *watchdog) retire() {
	w.retired.Store(true)
	w.checkTimer.Stop()
}

// stop retires the watchdog and cancels the rest of the request.
func (w *watchdog) stop() {
	w.retire()
	w.cancel(context.Canceled)
}
