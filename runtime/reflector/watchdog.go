// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"
)

// A watchdog ends a context when it was not fed for a while.
type watchdog struct {
	timer   *time.Timer
	limit   time.Duration
	cancel  context.CancelCauseFunc
	retired atomic.Bool
}

func newWatchdog(ctx context.Context, limit time.Duration, cause error) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &watchdog{
		timer: time.AfterFunc(limit, func() { cancel(cause) }), limit: limit, cancel: cancel,
	}
}

// feed has the time start over, if it has not been retired.
func (w *watchdog) feed() {
	if !w.retired.Load() {
		w.timer.Reset(w.limit)
	}
}

// retire has it never bite, however often it is fed afterwards. Whoever feeds it does
// not do so meanwhile.
func (w *watchdog) retire() {
	w.retired.Store(true)
	w.timer.Stop()
}

// stop ends the context, and with it whatever is left of what it watched.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(context.Canceled)
}
