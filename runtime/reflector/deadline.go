// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"
)

// overdueAfter is how much longer than asked for a watch may last.
const overdueAfter = 30 * time.Second

// A deadline ends the context of a watch that the server does not end in time, unless
// it is the sink that has no room for what the server sends.
type deadline struct {
	busy   atomic.Bool // something is being handed to the sink
	missed atomic.Bool // busy when the time had come
	timer  *time.Timer
	cancel context.CancelCauseFunc
}

func newDeadline(ctx context.Context, after time.Duration) (context.Context, *deadline) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &deadline{cancel: cancel}
	ready := make(chan struct{})
	began := false
	d.timer = time.AfterFunc(after, func() {
		<-ready
		switch {
		case d.busy.Load():
			d.missed.Store(true)
		case began:
			cancel(ErrOverdue)
			return
		}
		began = true
		d.timer.Reset(overdueAfter)
	})
	close(ready)
	return ctx, d
}

// stop ends the context, and with it whatever is left of the watch.
func (d *deadline) stop() {
	d.timer.Stop()
	d.cancel(context.Canceled)
}
