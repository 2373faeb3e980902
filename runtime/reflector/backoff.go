// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"math/rand/v2"
	"time"
)

// Backoff says how long to wait after failures. The zero value means the defaults.
//
// Each wait is Factor times the wait before. With the defaults, a wait is a fifth of the
// outage so far, plus as much again at most by jitter: the reflector is back soon after
// the server.
type Backoff struct {
	Initial time.Duration // the first wait; 200 ms
	Max     time.Duration // the longest wait, before jitter; 30 s
	Factor  float64       // what each wait is multiplied by for the next; 1.2
	Jitter  float64       // up to this part of a wait is added at random; 1. Negative: none
	// Reset is how long a watch must have lasted for any failure that ends it to be
	// treated as the first; 30 s. A watch that the reflector merely resumes needs less: it
	// must have lasted Options.ShortWatch.
	Reset time.Duration
}

// longest is a wait that nobody lives to see the end of, and that can be added to a time.
const longest = 100 * 365 * 24 * time.Hour

// maxRetryAfter is how long at most a server is left alone because it asks for that.
const maxRetryAfter = 5 * time.Minute

func (b Backoff) withDefaults() Backoff {
	if b.Initial <= 0 {
		b.Initial = 200 * time.Millisecond
	}
	if b.Max <= 0 {
		b.Max = 30 * time.Second
	}
	b.Initial, b.Max = min(b.Initial, longest), min(b.Max, longest)
	if !(b.Factor >= 1) { // nor NaN
		b.Factor = 1.2
	}
	if b.Jitter == 0 {
		b.Jitter = 1
	}
	if b.Reset <= 0 {
		b.Reset = 30 * time.Second
	}
	return b
}

// waits decides how long to wait after failures.
type waits struct {
	Backoff
	next   time.Duration // 0 if the next failure is the first
	outage bool          // the last failure was no answer, or 429 or 5xx

	// An answer ends an outage only once, and only one list is made at once, until a watch
	// was of use. Otherwise a server that answers one request and fails the next would
	// never be backed off from.
	revived, relisted bool
}

// after returns how long to wait after another failure. It is at least as long as the
// server asked for.
func (w *waits) after(err error) time.Duration {
	if isAnswer(err) {
		w.answered()
	} else {
		w.outage = true
	}
	if w.next == 0 {
		w.next = w.Initial
	}
	d := min(w.next, w.Max)
	w.next = time.Duration(min(float64(d)*w.Factor, float64(w.Max)))
	d = max(d, min(retryAfter(err), maxRetryAfter)) // with jitter, or all clients return at once
	if w.Jitter > 0 {
		d += time.Duration(min(rand.Float64()*w.Jitter*float64(min(d, w.Max)), float64(longest)))
	}
	return d
}

// answered notes an answer of a server that works, which ends an outage.
func (w *waits) answered() {
	if w.outage && !w.revived {
		w.next, w.revived = 0, true
	}
	w.outage = false
}

// relist reports whether the list that err calls for is made at once.
func (w *waits) relist(err error) bool {
	if !isAnswer(err) || w.relisted {
		return false
	}
	w.answered()
	w.relisted = true
	return true
}

// healthy notes that a watch lasted for d, and whether it was of use even if that is
// short.
func (w *waits) healthy(d time.Duration, useful bool) {
	if useful || d >= w.Reset {
		w.next, w.revived, w.relisted = 0, false, false
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
