// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/inflow"
	"k8s.io/apimachinery/pkg/types"
)

const (
	// stallReported is the time without progress after which a list is reported.
	stallReported = 30 * time.Second
	// stallBytes is the number of bytes that count as progress without an object.
	stallBytes = 64 << 10
	// leastLooks is the minimum number of ticks within the limit.
	leastLooks = 4
)

// A watchdog supervises one list, or the initial events of one WatchList. It cancels the request
// when no object has come for a limit, or up to a quarter longer. If neither an object nor stallBytes
// have come for stallReported, it reports that to OnError, once, and in Progress.
//
// It checks flags at a ticker, so that no object costs a reading of the clock.
type watchdog struct {
	objects atomic.Bool  // an object came since the last tick
	chunks  atomic.Bool  // stallBytes came since the last tick
	bytes   atomic.Int64 // since the last chunk
	cancel  context.CancelCauseFunc
	quit    chan struct{}
	over    chan struct{}
}

// watchdog starts a watchdog for a request with the returned context, which it cancels with cause.
// The caller stops the watchdog.
func (r *Reflector[T]) watchdog(
	ctx context.Context, op Op, limit time.Duration, cause error,
) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{cancel: cancel, quit: make(chan struct{}), over: make(chan struct{})}
	looks := max(leastLooks, limit/time.Second)
	go r.look(w, op, time.NewTicker(max(limit/looks, 1)), limit, cause)
	return inflow.With(ctx, inflow.Observer{
		Bytes: w.received, LeftOut: func(types.NamespacedName) { w.feed() },
	}), w
}

// look checks w at each tick until w is stopped.
func (r *Reflector[T]) look(w *watchdog, op Op, tick *time.Ticker, limit time.Duration, cause error) {
	defer close(w.over)
	defer r.did.stalled(time.Time{})
	defer tick.Stop()
	object := time.Now()
	last, reported := object, false // last: of an object or a chunk
	for {
		select {
		case <-w.quit:
			return
		case <-tick.C:
		}
		fed, now := w.objects.Swap(false), time.Now()
		if fed {
			object = now
		}
		switch {
		case w.chunks.Swap(false) || fed:
			if reported {
				r.did.stalled(time.Time{})
			}
			last, reported = now, false
		case !reported && now.Sub(last) >= stallReported:
			reported = true
			r.did.stalled(last)
			r.report(newError(op, ErrSlowList))
		}
		if now.Sub(object) >= limit {
			w.cancel(cause)
			return
		}
	}
}

// feed records an object.
func (w *watchdog) feed() {
	if !w.objects.Load() {
		w.objects.Store(true)
	}
}

// received records n bytes.
func (w *watchdog) received(n int) {
	if w.bytes.Add(int64(n)) >= stallBytes {
		w.bytes.Store(0)
		w.chunks.Store(true)
	}
}

// retire stops the watchdog without canceling the request, and waits for a running report. It may
// be called again.
func (w *watchdog) retire() {
	select {
	case <-w.quit:
	default:
		close(w.quit)
	}
	<-w.over
}

// stop retires the watchdog and cancels the rest of the request.
func (w *watchdog) stop() {
	w.retire()
	w.cancel(context.Canceled)
}
