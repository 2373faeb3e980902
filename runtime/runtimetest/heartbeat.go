// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package runtimetest

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// When an API server sends bookmarks of its own accord, to watches that allow them.
const (
	beatEvery  = time.Minute
	beatBefore = 2 * time.Second // the watch times out
)

// heartbeat is when a watch is due a bookmark.
type heartbeat struct {
	ticker      *time.Ticker // nil: never
	timer       *time.Timer
	often, last <-chan time.Time
}

func newHeartbeat(opts metav1.ListOptions) (h heartbeat) {
	if !opts.AllowWatchBookmarks {
		return h
	}
	h.ticker = time.NewTicker(beatEvery)
	h.often = h.ticker.C
	if opts.TimeoutSeconds != nil {
		if until := time.Duration(*opts.TimeoutSeconds)*time.Second - beatBefore; until > 0 {
			h.timer = time.NewTimer(until)
			h.last = h.timer.C
		}
	}
	return h
}

func (h heartbeat) stop() {
	if h.ticker != nil {
		h.ticker.Stop()
	}
	if h.timer != nil {
		h.timer.Stop()
	}
}
