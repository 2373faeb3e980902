// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/metrics"
	"k8s.io/apimachinery/pkg/watch"
)

// Phase is what a reflector is doing.
type Phase string

// The phases of a reflector.
const (
	PhaseNone      Phase = "not started"
	PhaseListing   Phase = "listing"   // reading what exists, by LIST
	PhaseStreaming Phase = "streaming" // reading what exists, by WatchList
	PhaseResuming  Phase = "resuming"  // asking whether a watch may go on
	PhaseWatching  Phase = "watching"
	PhaseWaiting   Phase = "waiting" // before another attempt, after a failure
	PhaseEnded     Phase = "ended"
)

// Progress is how far a reflector is.
type Progress struct {
	Phase Phase
	Since time.Time // when the phase began
	// Objects is how many objects the list under way has received, or the last list if
	// none is. A WatchList counts each object once.
	Objects int
	// Remaining is how many objects the list under way has yet to receive, if the server
	// has told, which it does with the first page of several and no selector; -1 if not.
	// With the default options it hardly does: neither a WatchList nor a list from the
	// server's cache has pages. NoWatchList and Consistent make it tell.
	Remaining int
	// Stalled is for how long the list under way has brought neither an object nor 64 KiB, to
	// the second; 0 if for less than 30 s. See ErrSlowList.
	Stalled time.Duration
	// Failures is how many attempts have failed in a row.
	Failures int
	// LastError is that of the reflector, also if it has recovered.
	LastError error
}

// Progress returns how far the reflector is. It is cheap, and may be called at any time
// by any goroutine.
func (r *Reflector[T]) Progress() Progress {
	p := r.did.progress()
	p.LastError = r.LastError()
	return p
}

// ErrorKind sorts errors: by what was being done, and by Reason.
type ErrorKind struct {
	Op     Op
	Reason string
}

// Stats is what a reflector has done so far. The maps belong to the caller.
type Stats struct {
	Progress
	// ResourceVersion is how far the source has been read.
	ResourceVersion string
	// Heard is when the source was last heard of: an event, a bookmark or the end of a
	// page; Bookmarked when a bookmark came. They are zero if none has.
	Heard, Bookmarked time.Time

	Requests  map[Op]int64              // pages, WatchLists, watches, and questions whether to resume
	Events    map[watch.EventType]int64 // of watches, bookmarks included
	WatchEnds map[string]int64          // by Reason
	Errors    map[ErrorKind]int64       // everything that was told to Options.OnError

	ListTimes   metrics.Distribution // of complete lists and WatchLists, delivery included
	Listed      int                  // objects of the last complete list
	Waited      time.Duration        // after failures, in total
	Rewinds     int64                // lists that were older than what had been read
	NoWatchList bool                 // WatchList is not or no longer tried
}

// Stats returns what the reflector has done. It may be called at any time by any
// goroutine.
func (r *Reflector[T]) Stats() Stats {
	s := Stats{Progress: r.Progress(), ResourceVersion: r.ResourceVersion()}
	r.did.stats(&s)
	return s
}
