// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"k8s.io/apimachinery/pkg/watch"
)

// Phase is the current activity of a reflector.
type Phase string

// The phases of a reflector.
const (
	PhaseNone      Phase = "not started"
	PhaseListing   Phase = "listing"   // a LIST
	PhaseStreaming Phase = "streaming" // a WatchList
	PhaseResuming  Phase = "resuming"  // comparing versions before a watch
	PhaseWatching  Phase = "watching"
	PhaseWaiting   Phase = "waiting" // before another attempt, after a failure
	PhaseEnded     Phase = "ended"
)

// Progress is the current state of a reflector.
type Progress struct {
	Phase Phase
	Since time.Time // when the phase began
	// Objects is the number of objects that the current, or else the last, list has brought. A
	// WatchList counts each object once.
	Objects int
	// Remaining is the number of objects that the current list has yet to bring, or -1 if
	// unknown. Servers report it with pages of a list without selectors. With the default
	// options it is usually unknown, because neither a WatchList nor a list from the server's
	// cache has pages; NoWatchList and Consistent change that.
	Remaining int
	// Failures is the number of consecutive failures.
	Failures int
	// LastError is the last error, also after recovery.
	LastError error
}

// Progress returns the current state. It is cheap and safe for concurrent use.
func (r *Reflector[T]) Progress() Progress {
	p := r.counters.progress()
	p.LastError = r.LastError()
	return p
}

// ErrorKind classifies errors by operation and Reason.
type ErrorKind struct {
	Op     Op
	Reason string
}

// Stats are the counters of a reflector. The maps belong to the caller.
type Stats struct {
	Progress
	// ResourceVersion is the last version read.
	ResourceVersion string
	// Heard is the time of the last event, bookmark or end of a page, Bookmarked that of the
	// last bookmark. They are zero if there was none.
	Heard, Bookmarked time.Time

	Requests  map[Op]int64              // pages, WatchLists, watches and resumes
	Events    map[watch.EventType]int64 // of watches, bookmarks included
	WatchEnds map[string]int64          // by Reason
	Errors    map[ErrorKind]int64       // errors passed to Options.OnError

	ListTimes   metrics.Distribution // of complete lists and WatchLists, delivery included
	Listed      int                  // objects of the last complete list
	Waited      time.Duration        // after failures, in total
	Rewinds     int64                // lists older than the last version
	NoWatchList bool                 // the reflector always uses LIST
}

// Stats returns the counters. It is safe for concurrent use.
func (r *Reflector[T]) Stats() Stats {
	s := Stats{Progress: r.Progress(), ResourceVersion: r.ResourceVersion()}
	r.counters.stats(&s)
	return s
}
