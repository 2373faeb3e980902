// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"
)

// looks is how often a watchdog looks in the time after which it bites.
const looks = 4

// A watchdog ends a context when it was not fed for a while, or a quarter longer: to feed it
// costs no look at a clock.
type watchdog struct {
	fed     atomic.Bool // since it last looked
	retired atomic.Bool
	timer   *time.Timer
	cancel  context.CancelCauseFunc
}

func newWatchdog(ctx context.Context, limit time.Duration, cause error) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{cancel: cancel}
	ready := make(chan struct{})
	hungry := 0 // for how many looks
	w.timer = time.AfterFunc(limit/looks, func() {
		<-ready
		if hungry++; w.fed.Swap(false) {
			hungry = 0
		}
		if hungry == looks && !w.retired.Load() {
			cancel(cause)
			return
		}
		w.timer.Reset(limit / looks)
		if w.retired.Load() {
			w.timer.Stop()
		}
	})
	close(ready)
	return ctx, w
}

// feed has the time start over, if it has not been retired.
func (w *watchdog) feed() {
	if !w.fed.Load() {
		w.fed.Store(true)
	}
}

// retire has it never bite, however often it is fed afterwards.
func (w *watchdog) retire() {
	w.retired.Store(true)
	w.timer.Stop()
}

// stop ends the context, and with it whatever is left of what it watched.
func (w *watchdog) stop() {
	w.retire()
	w.cancel(context.Canceled)
}
