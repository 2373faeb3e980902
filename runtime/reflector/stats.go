// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"maps"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/metrics"
)

// Progress is the current state of a reflector.
type Progress struct {
	// Doing is the type of the event that began what the reflector does: EventNone, EventResuming, EventListing,
	// EventWatching, EventAbsent, EventWaiting or EventEnded.
	Doing EventType
	Since time.Time // when that began
	// Objects is the number of objects that the current, or else the last, list has brought. A
	// WatchList counts each object once.
	Objects int
	// Failures is the number of consecutive failures with a wait. Those that are retried at once do not count.
	Failures int
	// LastError is the last error, an *Error, also after recovery; see Error.Time. It is nil if there was
	// none.
	LastError error
}

// ErrorKind classifies errors by operation and Reason.
type ErrorKind struct {
	Op     Op
	Reason string
}

// Stats are the counters of a reflector. The maps belong to the caller.
type Stats struct {
	Progress
	// ResourceVersion is the last version read, "" before the first list. The consumer of the sink may
	// be behind.
	ResourceVersion string
	// Heard is the time of the last event, bookmark or end of a page, Bookmarked that of the
	// last bookmark. They are zero if there was none.
	Heard, Bookmarked time.Time

	Requests  map[Op]int64         // pages, WatchLists, watches and resumes
	Events    map[delta.Type]int64 // of watches, bookmarks included
	WatchEnds map[string]int64     // by Reason
	Errors    map[ErrorKind]int64  // failures, those of objects included

	ListTimes   metrics.Distribution // of complete lists and WatchLists, delivery included
	Dropped     int64                // items that the source left out
	Waited      time.Duration        // after failures, in total
	Rewinds     int64                // lists older than the last version
	NoWatchList bool                 // the reflector always uses LIST
}

// Stats returns the counters. It is safe for concurrent use.
func (r *Reflector[T]) Stats() (now Stats) {
	r.status.update(func(s *Stats) {
		now = *s
		now.Requests, now.Events = maps.Clone(s.Requests), maps.Clone(s.Events)
		now.WatchEnds, now.Errors = maps.Clone(s.WatchEnds), maps.Clone(s.Errors)
	})
	now.ListTimes = r.status.listTimes.Distribution()
	return now
}

// status guards the statistics of a reflector. Run's goroutine changes them.
type status struct {
	mu        sync.Mutex
	stats     Stats
	listTimes metrics.Timing
}

// update calls change under the lock.
func (s *status) update(change func(*Stats)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change(&s.stats)
}

// activityAge returns how long the reflector has been doing what it does.
func (s *status) activityAge() (d time.Duration) {
	s.update(func(now *Stats) { d = time.Since(now.Since) })
	return d
}
