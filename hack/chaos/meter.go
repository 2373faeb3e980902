// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"net/http"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/indexer-gen/indexer-gen/hack/internal/process"
)

// rateWindow is the time over which requests are counted to find hot loops.
const rateWindow = time.Second

// meter counts the requests of one informer.
type meter struct {
	requests atomic.Int64
	fault    atomic.Pointer[string] // what the informer suffers from or recovers from
}

// transport returns next with the requests through it counted.
func (m *meter) transport(next http.RoundTripper) http.RoundTripper { return metered{m, next} }

type metered struct {
	meter *meter
	next  http.RoundTripper
}

func (m metered) RoundTrip(r *http.Request) (*http.Response, error) {
	m.meter.requests.Add(1)
	return m.next.RoundTrip(r)
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (m metered) CloseIdleConnections() {
	if c, ok := m.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// watchRates tells observed how many requests a second each meter counts, and
// during which fault, until ctx ends.
func watchRates(ctx context.Context, meters []*meter, observed func(i int, fault string, perSecond float64)) {
	tick := time.NewTicker(rateWindow)
	defer tick.Stop()
	before := make([]int64, len(meters))
	for {
		for i, m := range meters {
			now := m.requests.Load()
			observed(i, *m.fault.Load(), float64(now-before[i])/rateWindow.Seconds())
			before[i] = now
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// usage is what the process uses.
type usage struct {
	goroutines int
	heap       uint64 // bytes
}

// measureUsage measures the process at rest.
func measureUsage() usage {
	heap := process.LiveHeap(nil)
	return usage{runtime.NumGoroutine(), heap}
}
