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

// event calls OnEvent.
func (r *Reflector[T]) event(e Event) {
	if r.opts.OnEvent != nil {
		e.Err = truncate.Error(e.Err)
		r.opts.OnEvent(e)
	}
}

// listing records the start of a LIST or WatchList at version.
func (r *Reflector[T]) listing(op Op, version string) {
	r.counters.list(op)
	e := Event{Type: EventListing, Op: op, ResourceVersion: version}
	if r.state.listed {
		e.Err = r.LastError()
	}
	r.event(e)
}

// watching records the start of a watch.
func (r *Reflector[T]) watching(version string) {
	r.counters.watch()
	r.event(Event{Type: EventWatching, Op: OpWatch, ResourceVersion: version})
}

// watched records the end of a watch.
func (r *Reflector[T]) watched(err error, out outcome) {
	reason := Reason(err)
	switch {
	case err != nil:
	case out.full:
		reason = "Pressed"
	case out.orderly():
		reason = "TimedOut"
	}
	came := r.counters.watchEnded(reason)
	r.event(Event{
		Type: EventWatchEnded, Op: OpWatch, ResourceVersion: r.state.version,
		Objects: came, Took: out.lasted, Reason: reason, Err: err,
	})
}
