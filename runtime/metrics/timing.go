// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"math/bits"
	"sync/atomic"
	"time"
)

// The upper bounds of a Timing are powers of four, from about a microsecond to about a minute.
// One shift finds the bucket of a duration.
const (
	firstBound = 10 // 2^10 ns
	bounds     = 14
)

// boundsInSeconds are the bounds of every Distribution.
var boundsInSeconds = func() []float64 {
	b := make([]float64, bounds)
	for i := range b {
		b[i] = time.Duration(1 << (firstBound + 2*i)).Seconds()
	}
	return b
}()

// Timing counts durations in buckets. The zero value is ready for use. Its methods are safe
// for concurrent use. Observe takes a few nanoseconds.
type Timing struct {
	counts [bounds + 1]atomic.Uint64
	sum    atomic.Int64
}

// Observe counts d.
func (t *Timing) Observe(d time.Duration) {
	ns := max(int64(d), 0)
	at := 0
	if ns > 1<<firstBound {
		at = min((bits.Len64(uint64(ns-1))-firstBound+1)/2, bounds)
	}
	t.counts[at].Add(1)
	t.sum.Add(ns)
}

// Distribution returns the observations so far. It is not atomic: a concurrent observation may
// be in Counts and not yet in Sum.
func (t *Timing) Distribution() Distribution {
	d := Distribution{Counts: make([]uint64, bounds+1), Sum: time.Duration(t.sum.Load())}
	for i := range t.counts {
		d.Counts[i] = t.counts[i].Load()
	}
	return d
}

// Distribution is a histogram of durations. The zero value has no observations.
type Distribution struct {
	// Counts is the number of observations in each bucket, not cumulative. The last one
	// counts observations above all Bounds. It is nil if there are no observations.
	Counts []uint64
	Sum    time.Duration
}

// Bounds returns the upper bounds of the buckets in seconds, ascending and inclusive. The
// slice is shared and must not be changed.
func (d Distribution) Bounds() []float64 { return boundsInSeconds }

// Count returns the number of observations.
func (d Distribution) Count() (n uint64) {
	for _, c := range d.Counts {
		n += c
	}
	return n
}

// Plus returns the observations of d and other together.
func (d Distribution) Plus(other Distribution) Distribution {
	counts := make([]uint64, bounds+1)
	for i := range counts {
		if i < len(d.Counts) {
			counts[i] += d.Counts[i]
		}
		if i < len(other.Counts) {
			counts[i] += other.Counts[i]
		}
	}
	return Distribution{Counts: counts, Sum: d.Sum + other.Sum}
}
