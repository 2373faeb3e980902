// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package metrics

import "time"

// Handler has statistics of one handler of an informer.
type Handler struct {
	Name string // of informer.WithHandlerName
	// Pending is the number of pending changes, including the current call. It is an upper bound for a
	// coalescing handler.
	Pending int
	// Oldest is the age of the oldest pending change, 0 if there is none.
	Oldest time.Duration
	// Calling is how long the current call has lasted, 0 if there is none.
	Calling time.Duration
	// Calls is the distribution of the durations of past calls.
	Calls Distribution
	// Blocked is the total time that the informer has waited for the handler.
	Blocked time.Duration
	Panics  int  // calls that panicked
	Synced  bool // the handler has returned from the initial list
}
