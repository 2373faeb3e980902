// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"math/rand/v2"
	"time"
)

// Backoff configures the wait after failures. The zero value means the defaults.
//
// Each wait is Factor times the previous one. With the defaults each wait before jitter is about a fifth
// of the earlier waits together, and jitter at most doubles it. So the reflector is back soon after the
// server is.
type Backoff struct {
	Initial time.Duration // the first wait; 200 ms
	Max     time.Duration // the longest wait, before jitter; 30 s
	Factor  float64       // of a wait to the previous one; 1.2
	Jitter  float64       // the largest random part added to a wait, as a fraction of it; 1. Negative: none
	// Reset is how long a watch must last to make progress if a list follows it; 30 s. After progress
	// the next wait is Initial again; see the package documentation.
	Reset time.Duration
}

// maxRetryAfter bounds a server's Retry-After.
const maxRetryAfter = 5 * time.Minute

func (b Backoff) withDefaults() Backoff {
	setDefault(&b.Initial, 200*time.Millisecond)
	setDefault(&b.Max, 30*time.Second)
	setDefault(&b.Reset, 30*time.Second)
	if !(b.Factor >= 1) { // nor NaN
		b.Factor = 1.2
	}
	if b.Jitter == 0 {
		b.Jitter = 1
	}
	return b
}

// backoffState computes the waits after failures.
type backoffState struct {
	next   time.Duration // 0 if the next failure is the first
	outage bool          // the last failure was no response, 429 or 5xx

	// Until a watch makes progress, only the first response resets the wait, and only the first relist
	// is sent without waiting. Otherwise there would be no backoff from a server that answers every
	// other request.
	responseResetUsed, immediateRelistUsed bool
}

// after returns the wait after another failure, without jitter. It is at least the server's
// Retry-After.
func (w *backoffState) after(err error, b Backoff) time.Duration {
	if showsHealthyServer(err) {
		w.answered()
	} else {
		w.outage = true
	}
	if w.next == 0 {
		w.next = b.Initial
	}
	d := min(w.next, b.Max)
	w.next = time.Duration(min(float64(d)*b.Factor, float64(b.Max)))
	return max(d, min(retryAfter(err), maxRetryAfter))
}

// answered records a response of a working server, which ends an outage.
func (w *backoffState) answered() {
	if w.outage && !w.responseResetUsed {
		w.next, w.responseResetUsed = 0, true
	}
	w.outage = false
}

// useImmediateRelist reports whether the list that follows err does not wait, and records it.
func (w *backoffState) useImmediateRelist(err error) bool {
	if !showsHealthyServer(err) || w.immediateRelistUsed {
		return false
	}
	w.answered()
	w.immediateRelistUsed = true
	return true
}

// jittered returns d and a random part, so that clients do not return together, even after the same
// Retry-After.
func (b Backoff) jittered(d time.Duration) time.Duration {
	if b.Jitter <= 0 {
		return d
	}
	return d + time.Duration(rand.Float64()*b.Jitter*float64(min(d, b.Max)))
}
