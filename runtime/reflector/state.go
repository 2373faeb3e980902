// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import "time"

// opNone is the operation of a reflector that has ended.
const opNone Op = ""

// state is what a reflector remembers between two operations.
type state struct {
	stateOptions

	resourceVersion        string // the last version read
	absent                 bool   // the server does not serve the type
	watchable              bool   // a watch can start at resourceVersion; if not, the existing objects are read next
	listLatest             bool   // the server cannot use resourceVersion: list the latest state
	serverMayHaveRewound   bool   // the server may have lost resourceVersion: resume before a stream starts there
	firstListDoneOrSkipped bool   // the existing objects were read, or need not be
	pagesDespiteCache      bool   // the server sends pages even where it could use its cache
	nextListUnpaged        bool   // continue tokens expired: list without pages

	unexplainedSinceLastEvent int // unexplained failures since the last event of a watch
	shortWatchesSinceProgress int // consecutive short watches without a change

	noWatchList                  bool // always LIST
	watchListFailures            int  // WatchLists that failed since the last list
	unexplainedWatchListFailures int  // of them, those that no outage explains

	waits backoffState
}

// stateOptions are the options on which the next operation depends. They do not change.
type stateOptions struct {
	consistentFirstList, noRelist bool
	backoff                       Backoff
}

// outcome is how an operation ended.
type outcome struct {
	err      error // nil if the operation succeeded
	unserved bool  // it failed because the server does not serve the type

	// Of a list.
	failedAtContinue  bool // err is the response to a continue token
	pagedDespiteCache bool // the server sent pages although it could use its cache

	// Of a watch.
	watchLasted         time.Duration
	requestedTimeout    time.Duration // the requested timeout
	watchBegan          time.Time     // of a WatchList, when its initial events were in the sink
	olderEventEndsWatch bool          // it started at a version, so that no older event comes
	events              int           // that came
	newerChangeReceived bool          // a change came, with a new version
	sinkBusyAtDeadline  bool          // the sink was full when the timeout passed
}

// lastedTimeoutWithEvents reports whether the server ended a watch as requested, and had shown by an event that it
// has the version at which the watch started.
func (o *outcome) lastedTimeoutWithEvents() bool {
	return o.events > 0 && o.watchLasted >= o.requestedTimeout-time.Second
}

// watchWorkedFor reports whether the server followed the watch for d. It may also take that long to answer
// that it is overloaded.
func (o *outcome) watchWorkedFor(d time.Duration) bool {
	return o.watchLasted >= d && (o.events > 0 || !isStatus(o.err) || showsHealthyServer(o.err))
}

// operation returns the next operation.
func (s *state) operation() Op {
	switch {
	case s.absent:
		return OpDiscovery
	case s.noRelist && s.firstListDoneOrSkipped && !s.watchable:
		return opNone
	case s.needsVersionCheck():
		return OpResume
	case s.watchable:
		return OpWatch
	case s.usesPlainList():
		return OpList
	}
	return OpWatchList
}

// needsVersionCheck reports whether a resume comes next. A LIST needs none, because its response shows whether
// the server is behind.
func (s *state) needsVersionCheck() bool {
	return s.serverMayHaveRewound && s.resourceVersion != "" && s.resourceVersion != "0" && !s.listLatest && (s.watchable || !s.usesPlainList())
}

// usesPlainList reports whether the existing objects are read by LIST, not WatchList.
func (s *state) usesPlainList() bool { return s.noWatchList || s.watchListFailures >= maxWatchLists }

// listVersion returns the resourceVersion of a list: the last version read, so that another
// server does not move the reflector back; "0", any state in the server's cache; or "", the latest in
// etcd. The list may be newer: an exact version would fail once the server has compacted it.
func (s *state) listVersion() string {
	switch {
	case s.listLatest:
		return ""
	case s.resourceVersion != "":
		return s.resourceVersion
	case s.consistentFirstList:
		return ""
	}
	return "0"
}

// relist makes the reflector read the existing objects, in their latest state if the server cannot
// use the last version.
func (s *state) relist(latest bool) {
	s.watchable, s.listLatest = false, s.listLatest || latest
}

// countUnexplainedFailure counts an unexplained failure. After maxUnexplainedFailures the reflector lists.
func (s *state) countUnexplainedFailure() {
	if s.unexplainedSinceLastEvent++; s.unexplainedSinceLastEvent >= maxUnexplainedFailures && !s.noRelist {
		s.unexplainedSinceLastEvent = 0
		s.relist(false)
	}
}
