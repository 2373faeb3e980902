// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
)

// Stats are statistics of an informer, for example for a debug page.
type Stats struct {
	Resource string // "widgets.example.com/v1"
	Name     string
	Synced   bool
	Objects  int // in the store
	Sources  []SourceStats
	Handlers []HandlerStats // in the order in which they were added
	// IndexErrors counts the errors of index functions, by index.
	IndexErrors map[string]int64
}

// SourceStats are statistics of one source since the current run began to read it.
type SourceStats struct {
	Name string
	reflector.Stats
}

// HandlerStats are statistics of one handler.
type HandlerStats struct {
	Name string // of WithHandlerName
	// Pending is the number of pending changes, including the current call. Each entry of a
	// coalescing handler counts as one.
	Pending int
	// Oldest is the age of the oldest pending change, 0 if there is none.
	Oldest time.Duration
	// Calling is how long the current call has lasted, 0 if there is none.
	Calling time.Duration
	// Calls is the distribution of the durations of past calls.
	Calls metrics.Distribution
	// Blocked is the total time that the informer has waited for the handler.
	Blocked time.Duration
	Panics  int  // calls that panicked
	Synced  bool // the handler has returned from the initial list
}
