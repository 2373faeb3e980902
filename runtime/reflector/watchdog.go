// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"time"
)

// A watchdog ends a context when it was not fed for a while.
type watchdog struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

func newWatchdog(ctx context.Context, limit time.Duration, cause error) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, &watchdog{
		timer: time.AfterFunc(limit, func() { cancel(cause) }), limit: limit, cancel: cancel,
	}
}

// feed has the time start over.
func (w *watchdog) feed() { w.timer.Reset(w.limit) }

// retire has it never bite.
func (w *watchdog) retire() { w.timer.Stop() }

// stop ends the context, and with it whatever is left of what it watched.
func (w *watchdog) stop() {
	w.timer.Stop()
	w.cancel(context.Canceled)
}
