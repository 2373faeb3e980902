// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff says how long to wait after a failure. The zero value means the defaults
// that follow; they are those of other Kubernetes clients.
type Backoff struct {
	Initial time.Duration // the first wait; 800 ms
	Max     time.Duration // the longest wait, before jitter; 30 s
	Factor  float64       // what each wait is multiplied by for the next; 2
	Jitter  float64       // up to this part of a wait is added at random; 1. Negative: none
	// Reset is how long a watch must have lasted for any failure that ends it to be
	// treated as the first; 30 s. One after which the reflector just watches on is
	// if the watch brought something new or lasted Options.ShortWatch.
	Reset time.Duration
}

// longest is a wait that nobody lives to see the end of, and that can be added to a time.
const longest = 100 * 365 * 24 * time.Hour

// maxRetryAfter is how long at most a server is left alone because it asks for that.
const maxRetryAfter = 5 * time.Minute

func (b Backoff) withDefaults() Backoff {
	if b.Initial <= 0 {
		b.Initial = 800 * time.Millisecond
	}
	if b.Max <= 0 {
		b.Max = 30 * time.Second
	}
	b.Initial, b.Max = min(b.Initial, longest), min(b.Max, longest)
	if !(b.Factor >= 1) { // nor NaN
		b.Factor = 2
	}
	if b.Jitter == 0 {
		b.Jitter = 1
	}
	if b.Reset <= 0 {
		b.Reset = 30 * time.Second
	}
	return b
}

// waits counts failures.
type waits struct {
	Backoff
	next time.Duration
}

// after returns how long to wait after another failure, and at least as long as the
// server asked for.
func (w *waits) after(err error) time.Duration {
	if w.next == 0 {
		w.next = w.Initial
	}
	d := min(w.next, w.Max)
	w.next = time.Duration(min(float64(d)*w.Factor, float64(w.Max)))
	d = max(d, min(retryAfter(err), maxRetryAfter))
	if w.Jitter > 0 {
		d += time.Duration(min(rand.Float64()*w.Jitter*float64(min(d, w.Max)), float64(longest)))
	}
	return d
}

// healthy notes that a watch lasted for d, and whether it was of use even if that is
// short.
func (w *waits) healthy(d time.Duration, useful bool) {
	if useful || d >= w.Reset {
		w.next = 0
	}
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
