// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// EventType is the type of an Event.
type EventType string

// The types of events.
const (
	// EventNone: the reflector has not started.
	EventNone EventType = "not started"
	// EventResuming: a resume begins.
	EventResuming EventType = "resuming"
	// EventListing: a LIST or WatchList begins. Err is the reason, if a failure is, and
	// it is not the first.
	EventListing EventType = "listing"
	// EventListed: a LIST or WatchList is complete and in the sink.
	EventListed EventType = "listed"
	// EventWatching: a watch begins or, with OpWatchList, a complete WatchList continues as one.
	EventWatching EventType = "watching"
	// EventWatchEnded: a watch has ended, with Reason and, after a failure, Err.
	EventWatchEnded EventType = "watch ended"
	// EventNoWatchList: the reflector falls back to LIST because of Err, this time or always.
	EventNoWatchList EventType = "no watch list"
	// EventAbsent: the server does not serve the type, and the sink has an empty list.
	EventAbsent EventType = "absent"
	// EventFailed: Op failed, or with OpDecode an object cannot be used. Err is an *Error.
	EventFailed EventType = "failed"
	// EventWaiting: Op will be tried again after Took.
	EventWaiting EventType = "waiting"
	// EventEnded: the reflector has ended.
	EventEnded EventType = "ended"
)

// Event is a step of a reflector. [Stats] are made from the events.
type Event struct {
	Type EventType
	Op   Op
	// ResourceVersion is the requested one for EventResuming, EventListing and EventWatching, the received one for
	// EventListed and for EventWatching with OpWatchList, and the last version read for EventWatchEnded.
	ResourceVersion string
	// Objects is the number of listed objects, or for EventWatchEnded of events, bookmarks
	// included.
	Objects int
	Took    time.Duration // EventListed, EventWatchEnded, EventWaiting
	Rewound bool          // EventListed: the source went back
	Always  bool          // EventNoWatchList
	Reason  string        // EventWatchEnded, EventFailed: see Reason
	Err     error
}

// recordAndReportEvent records e and calls OnEvent.
func (r *Reflector[T]) recordAndReportEvent(e Event) {
	if e.Type == EventFailed {
		e.Reason = Reason(errors.Unwrap(e.Err)) // outside the lock: this calls foreign methods
	} else {
		e.Err = truncate.Error(e.Err)
	}
	r.status.update(func(s *Stats) { s.record(e) })
	// Incomplete lists repeat the errors of the same objects: report those after 0, 1, 2, 4, 8, … lists.
	if r.opts.OnEvent != nil && (e.Type != EventFailed || r.incompleteLists&(r.incompleteLists-1) == 0) {
		r.opts.OnEvent(e)
	}
}

// record counts e, and follows what the reflector does.
func (s *Stats) record(e Event) {
	switch e.Type {
	case EventResuming, EventListing, EventWatching, EventAbsent, EventWaiting, EventEnded:
		s.Doing, s.Since = e.Type, time.Now()
	}
	switch e.Type {
	case EventResuming:
		s.Requests[OpResume]++
	case EventListing:
		if s.Objects = 0; e.Op == OpWatchList { // the pages of a LIST are counted as they are read
			s.Requests[OpWatchList]++
		}
	case EventListed:
		s.Heard, s.Failures = time.Now(), 0
		if e.Rewound {
			s.Rewinds++
		}
	case EventWatching:
		if e.Op == OpWatch {
			s.Requests[OpWatch]++
		}
	case EventWatchEnded:
		s.WatchEnds[e.Reason]++
	case EventNoWatchList:
		s.NoWatchList = e.Always
	case EventFailed:
		s.Errors[ErrorKind{e.Op, e.Reason}]++
		s.LastError = e.Err
	case EventWaiting:
		s.Failures++
		s.Waited += e.Took
	}
}

// reportListing reports the start of a LIST or WatchList at version.
func (r *Reflector[T]) reportListing(op Op, version string) {
	e := Event{Type: EventListing, Op: op, ResourceVersion: version}
	if r.state.firstListDoneOrSkipped {
		e.Err = r.potentialRelistReason
	}
	r.recordAndReportEvent(e)
}

// reportWatchEnded reports the end of a watch.
func (r *Reflector[T]) reportWatchEnded(out *outcome) {
	reason := Reason(out.err)
	switch {
	case out.err != nil:
	case out.sinkBusyAtDeadline:
		reason = "Pressed"
	case out.lastedTimeoutWithEvents():
		reason = "TimedOut"
	}
	r.recordAndReportEvent(Event{
		Type: EventWatchEnded, Op: OpWatch, ResourceVersion: r.state.resourceVersion,
		Objects: out.events, Took: out.watchLasted, Reason: reason, Err: out.err,
	})
}
