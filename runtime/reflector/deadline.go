// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"
)

// overdueAfter is how much longer than requested a watch may last.
const overdueAfter = 30 * time.Second

// A deadline cancels a watch that the server does not end in time, unless the sink is full and the
// watch waits for it.
type deadline struct {
	busy   atomic.Bool // the sink is being called
	missed atomic.Bool // the sink was being called at the deadline
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func newDeadline(ctx context.Context, after time.Duration) (context.Context, *deadline) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &deadline{cancel: cancel}
	ready := make(chan struct{})
	overdue := false // the time of overdueAfter has begun
	d.timer = time.AfterFunc(after, func() {
		<-ready
		switch {
		case d.busy.Load():
			d.missed.Store(true)
		case overdue:
			cancel(ErrOverdue)
			return
		}
		overdue = true
		d.timer.Reset(overdueAfter)
	})
	close(ready)
	return ctx, d
}

// stop cancels the rest of the watch.
func (d *deadline) stop() {
	d.timer.Stop()
	d.cancel(context.Canceled)
}
