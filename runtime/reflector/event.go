// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// EventType is the type of an Event.
type EventType string

// The types of events.
const (
	// EventListing: a LIST or WatchList begins. Err is the reason if it is not the first.
	EventListing EventType = "listing"
	// EventListed: a LIST or WatchList is complete and in the sink.
	EventListed EventType = "listed"
	// EventWatching: a watch begins, or a complete WatchList continues as one.
	EventWatching EventType = "watching"
	// EventWatchEnded: a watch has ended, with Reason and, after a failure, Err.
	EventWatchEnded EventType = "watch ended"
	// EventNoWatchList: the reflector falls back to LIST because of Err, this time or always.
	EventNoWatchList EventType = "no watch list"
)

// Event is a step of a reflector. Failures are also reported as an Error.
type Event struct {
	Type EventType
	Op   Op // OpList, OpWatchList or OpWatch
	// ResourceVersion is the requested one, or for EventListed the received one.
	ResourceVersion string
	// Objects is the number of listed objects, or for EventWatchEnded of events, bookmarks
	// included.
	Objects int
	Took    time.Duration // EventListed, EventWatchEnded
	Rewound bool          // EventListed: the source went back
	Always  bool          // EventNoWatchList
	Reason  string        // EventWatchEnded: see Reason
	Err     error
}

// event records e and calls OnEvent.
func (r *Reflector[T]) event(e Event) {
	r.status.update(func(s *Stats) { s.record(e) })
	if r.opts.OnEvent != nil {
		e.Err = truncate.Error(e.Err)
		r.opts.OnEvent(e)
	}
}

// record counts e and follows the phases.
func (s *Stats) record(e Event) {
	switch e.Type {
	case EventListing:
		s.Objects = 0
		if e.Op == OpList {
			s.enter(PhaseListing)
			return
		}
		s.enter(PhaseStreaming)
		s.Requests[OpWatchList]++
	case EventListed:
		s.Heard, s.Failures = time.Now(), 0
		if e.Rewound {
			s.Rewinds++
		}
	case EventWatching:
		s.enter(PhaseWatching)
	case EventWatchEnded:
		s.WatchEnds[e.Reason]++
	case EventNoWatchList:
		s.NoWatchList = e.Always
	}
}

// listing reports the start of a LIST or WatchList at version.
func (r *Reflector[T]) listing(op Op, version string) {
	e := Event{Type: EventListing, Op: op, ResourceVersion: version}
	if r.state.listed {
		e.Err = r.LastError()
	}
	r.event(e)
}

// watching reports the start of a watch.
func (r *Reflector[T]) watching(version string) {
	r.event(Event{Type: EventWatching, Op: OpWatch, ResourceVersion: version})
}

// watched reports the end of a watch.
func (r *Reflector[T]) watched(out *outcome) {
	reason := Reason(out.err)
	switch {
	case out.err != nil:
	case out.full:
		reason = "Pressed"
	case out.orderly():
		reason = "TimedOut"
	}
	r.event(Event{
		Type: EventWatchEnded, Op: OpWatch, ResourceVersion: r.state.version,
		Objects: out.events, Took: out.lasted, Reason: reason, Err: out.err,
	})
}
