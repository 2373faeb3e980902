// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/truncate"
)

// EventType is what an Event tells of.
type EventType string

// The types of events.
const (
	// EventListing: it begins to read what exists, by a list or a WatchList. Err is why
	// it must be read again, or nil if it was not read before.
	EventListing EventType = "listing"
	// EventListed: what exists has been read and handed to the sink.
	EventListed EventType = "listed"
	// EventWatching: it asks for a watch, or goes on with that which a WatchList is now.
	EventWatching EventType = "watching"
	// EventWatchEnded: a watch has ended, for Reason and, if something was wrong, Err.
	EventWatchEnded EventType = "watch ended"
	// EventNoWatchList: the reflector gives up WatchList because of Err, for this time
	// or, with Always, for good, and lists.
	EventNoWatchList EventType = "no watch list"
)

// Event is one of the few things of note that a reflector did. What fails is told as an
// Error instead, and beside.
type Event struct {
	Type EventType
	Op   Op // OpList, OpWatchList or OpWatch
	// ResourceVersion is the one that was asked for or, if EventListed, received.
	ResourceVersion string
	// Objects is how many objects were listed or, if EventWatchEnded, how many events
	// came, bookmarks included.
	Objects int
	Took    time.Duration // of what has ended
	Rewound bool          // EventListed: the source went back in time
	Always  bool
	Reason  string // EventWatchEnded: see Reason
	Err     error
}

// event tells whoever wants to know.
func (r *Reflector[T]) event(e Event) {
	if r.opts.OnEvent != nil {
		e.Err = truncate.Error(e.Err)
		r.opts.OnEvent(e)
	}
}

// listing notes that what exists is being read, at version.
func (r *Reflector[T]) listing(op Op, version string) {
	r.did.list(op)
	e := Event{Type: EventListing, Op: op, ResourceVersion: version}
	if r.listed {
		e.Err = r.LastError()
	}
	r.event(e)
}

// watching notes that a watch was asked for, or has come out of a WatchList.
func (r *Reflector[T]) watching(version string) {
	r.did.watch()
	r.event(Event{Type: EventWatching, Op: OpWatch, ResourceVersion: version})
}

// watched notes that a watch has ended, with err or as l says.
func (r *Reflector[T]) watched(err error, l life) {
	reason := Reason(err)
	switch {
	case err != nil:
	case l.pressed:
		reason = "Pressed"
	case l.orderly():
		reason = "TimedOut"
	}
	came := r.did.watchEnded(reason)
	r.event(Event{Type: EventWatchEnded, Op: OpWatch, ResourceVersion: r.rv, Objects: came, Took: l.lasted, Reason: reason, Err: err})
}

// giveUpWatchList notes that what exists will be listed, because of err: always, or this
// time. Without err it was told before that it would be this time.
func (r *Reflector[T]) giveUpWatchList(always bool, err error) {
	always = always && !r.noWatchList
	r.noWatchList = r.noWatchList || always
	r.did.noWatchList(r.noWatchList)
	if err != nil || always {
		r.event(Event{Type: EventNoWatchList, Op: OpWatchList, Always: always, Err: err})
	}
}
