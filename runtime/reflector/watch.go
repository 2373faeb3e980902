// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// completeAndReportOutcome returns the outcome of a watch. After that, next decides the step that follows.
func (r *Reflector[T]) completeAndReportOutcome(ctx context.Context, end *graceDeadline, out outcome) outcome {
	if ctx.Err() != nil {
		return out
	}
	out.sinkBusyAtDeadline = end.sinkBusyAtDeadline.Load()
	if v := classify(out.err); out.sinkBusyAtDeadline && (v == retryLater || v == unexplained) && !errors.Is(out.err, errBackward) {
		// No failure: we canceled the watch, or the sink was full and we did not read it in time.
		out.err, out.watchLasted = nil, max(out.watchLasted, out.requestedTimeout)
	}
	r.reportWatchEnded(&out)
	switch {
	case out.err != nil:
	case out.watchLasted < shortWatch:
		out.err = errShortWatch
	case r.state.resourceVersion == "" && out.watchLasted < r.opts.Backoff.Reset:
		out.err = errUnversioned
	}
	return out
}

// watchOptions returns the options of a watch.
func (r *Reflector[T]) watchOptions() metav1.ListOptions {
	// MaxInt32 is effectively forever, and fits a timer and the server.
	seconds := int64(min(max(1, r.opts.WatchTimeout.Seconds()*(1+rand.Float64())), math.MaxInt32))
	return metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: r.state.resourceVersion, AllowWatchBookmarks: true, TimeoutSeconds: &seconds,
	}
}

// overdueAfter is how much longer than requested a watch may last.
const overdueAfter = 30 * time.Second

// A deadline cancels a watch that the server does not end in time, unless the sink is full and the
// watch waits for it.
type graceDeadline struct {
	sinkBusy           atomic.Bool // an event is being passed to the sink
	sinkBusyAtDeadline atomic.Bool // the sink was being called at the deadline
	deadlineGraceTimer *time.Timer
	cancelWatch        context.CancelCauseFunc
}

func newDeadlineWithGrace(ctx context.Context, after time.Duration) (context.Context, *graceDeadline) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &graceDeadline{cancelWatch: cancel}
	overdue := false // the time of overdueAfter has begun
	d.deadlineGraceTimer = repeat(after, func() (next time.Duration) {
		switch {
		case d.sinkBusy.Load():
			d.sinkBusyAtDeadline.Store(true)
		case overdue:
			cancel(errOverdue)
			return 0
		}
		overdue = true
		return overdueAfter
	})
	return ctx, d
}

// stop cancels the rest of the watch.
func (d *graceDeadline) stop() {
	d.deadlineGraceTimer.Stop()
	d.cancelWatch(context.Canceled)
}
