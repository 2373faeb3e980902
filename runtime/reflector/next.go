// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// The reflector lists after maxUnexplainedFailures unexplained failures of watches without an event between them, after
// maxShort consecutive watches that ended within shortWatch without a change, and after maxWatchLists
// failures of WatchList.
const (
	maxUnexplainedFailures = 3
	maxShort               = 10
	shortWatch             = time.Second
	maxWatchLists          = 3
)

// nextStep is the table in the package documentation: what follows op in state s, after a wait. The
// operation is opNone if the reflector ends. A wait of 0 means at once; the others are failures.
func nextStep(s state, op Op, out outcome) (state, Op, time.Duration) {
	before, atOnce := s, out.err == nil
	if out.unserved { // the type may return with lower versions
		return state{stateOptions: s.stateOptions, noWatchList: s.noWatchList, absent: true}, OpDiscovery, 0
	}
	switch op {
	case OpDiscovery:
		s.absent = out.err != nil
	case OpList:
		atOnce = s.afterList(&out)
	case OpWatchList:
		atOnce = s.afterWatchList(&out)
	case OpResume:
		atOnce = s.afterVersionCheck(&out)
	case OpWatch:
		s.afterWatch(&out)
	}
	step := s.operation()
	if step == opNone || atOnce || before.watchable && !s.watchable && s.waits.useImmediateRelist(out.err) {
		return s, step, 0
	}
	wait := s.waits.after(out.err, s.backoff)
	return s, step, wait
}

// reportAndAdvance reports the outcome of op and returns the next operation, and the wait before it.
func (r *Reflector[T]) reportAndAdvance(op Op, out outcome) (step Op, wait time.Duration) {
	always := r.state.noWatchList
	r.state, step, wait = nextStep(r.state, op, out)
	wait = r.opts.Backoff.jittered(wait)
	if step == opNone && out.err == nil {
		out.err = errUnversioned
	}
	incomplete := errors.Is(out.err, errIncomplete)
	if !incomplete {
		r.incompleteLists = 0
	}
	if op != OpResume {
		r.potentialRelistReason = nil
	}
	if out.err != nil {
		e := newError(op, out.err)
		e.Wait = wait
		r.potentialRelistReason = e
		r.recordAndReportEvent(Event{Type: EventFailed, Op: op, Err: e})
	}
	if incomplete {
		r.incompleteLists++
	}
	if op == OpWatchList && r.state.usesPlainList() || r.state.noWatchList != always {
		r.recordAndReportEvent(Event{Type: EventNoWatchList, Op: OpWatchList, Always: r.state.noWatchList, Err: out.err})
	}
	return step, wait
}

// afterList reports whether the next operation follows at once.
func (s *state) afterList(out *outcome) (atOnce bool) {
	s.pagesDespiteCache, s.nextListUnpaged = s.pagesDespiteCache || out.pagedDespiteCache, false
	verdict := classify(out.err)
	switch {
	case out.err == nil:
		s.noWatchList = s.noWatchList || s.unexplainedWatchListFailures >= maxWatchLists
		s.recordListDelivered()
		return true
	case out.failedAtContinue && verdict == expired: // the server has compacted the state of the pages
		s.nextListUnpaged = true
		return true
	case s.listVersion() != "" && (verdict == expired || verdict == tooLarge || verdict == invalid):
		s.listLatest = true
		return true
	case errors.Is(out.err, errStalled) && s.resourceVersion != "":
		s.listLatest = true // the server may be waiting for a version that it lost
	}
	s.unexplainedWatchListFailures = 0 // LIST fails as well
	return false
}

// recordListDelivered records that all existing objects are in the sink.
func (s *state) recordListDelivered() {
	s.waits.answered()
	s.watchable, s.firstListDoneOrSkipped, s.listLatest, s.serverMayHaveRewound = true, true, false, false
	s.unexplainedSinceLastEvent, s.shortWatchesSinceProgress, s.watchListFailures, s.unexplainedWatchListFailures = 0, 0, 0, 0
}

// afterWatchList reports whether the next operation follows at once. A WatchList that has delivered
// the existing objects continues as a watch.
func (s *state) afterWatchList(out *outcome) (atOnce bool) {
	verdict := classify(out.err)
	if out.err == nil {
		s.recordListDelivered()
		return true
	}
	s.watchListFailures++
	switch {
	case verdict == expired, verdict == tooLarge:
		atOnce = !s.listLatest && s.resourceVersion != "" // the next attempt is for the latest state
		s.listLatest = true
		return atOnce
	case isRefused(out.err):
		// A LIST will tell whether the server refuses streaming or every request. An invalid
		// request will also be invalid later.
		s.watchListFailures, s.noWatchList = maxWatchLists, verdict == invalid
		return true
	case verdict == unexplained && !isStatus(out.err) && !errors.Is(out.err, errIncomplete):
		s.unexplainedWatchListFailures++
	}
	return s.usesPlainList()
}

// afterVersionCheck reports whether the next operation follows at once.
func (s *state) afterVersionCheck(out *outcome) (atOnce bool) {
	verdict := classify(out.err)
	switch {
	case out.err == nil:
		s.waits.answered()
		s.serverMayHaveRewound = false
		return true
	case errors.Is(out.err, errBackward):
		s.waits.answered()
		s.serverMayHaveRewound = false
		s.relist(true)
	case verdict == invalid, verdict == unexplained && isRefused(out.err), apierrors.IsForbidden(out.err):
		s.serverMayHaveRewound = false
		return true
	case verdict != retryLater:
		s.countUnexplainedFailure()
		s.serverMayHaveRewound = s.unexplainedSinceLastEvent > 0 // the list that follows needs no resume before it
	}
	return false
}

// afterWatch decides between a watch, a resume and a list, and whether the watch made progress.
func (s *state) afterWatch(out *outcome) {
	if s.resourceVersion == "" {
		s.relist(false) // without a version a watch cannot be resumed
	}
	if !out.lastedTimeoutWithEvents() && !isForbiddenOrThrottled(out.err) {
		s.serverMayHaveRewound = true
	}
	progress := out.newerChangeReceived || out.watchWorkedFor(shortWatch)
	if s.shortWatchesSinceProgress++; progress {
		s.shortWatchesSinceProgress = 0
	}
	if out.events > 0 {
		s.unexplainedSinceLastEvent = 0
		s.waits.answered()
	}
	switch err := out.err; {
	case err == nil, errors.Is(err, errUnversioned), errors.Is(err, errOverdue):
	case errors.Is(err, errBackward):
		s.relist(true)
	case errors.Is(err, errShortWatch):
		if s.shortWatchesSinceProgress >= maxShort && !s.noRelist {
			s.shortWatchesSinceProgress = 0
			s.relist(false)
		}
	default:
		s.afterFailedWatch(classify(err))
	}
	if s.watchable && progress || out.watchWorkedFor(s.backoff.Reset) {
		s.waits = backoffState{}
	}
}

func (s *state) afterFailedWatch(v verdict) {
	switch v {
	case expired, unreadable:
		// The server is ahead of version, so a list not older than it is enough.
		s.relist(false)
		s.serverMayHaveRewound = false
	case tooLarge:
		// The server lags behind others, or was restored from a backup. To find out which, list the
		// latest state or, if that is not possible, resume.
		if s.noRelist {
			s.serverMayHaveRewound = true
		} else {
			s.relist(true)
		}
	case invalid:
		s.relist(true)
	case unexplained:
		s.countUnexplainedFailure()
	}
}

// isForbiddenOrThrottled recognizes errors by which a healthy server refuses a watch.
func isForbiddenOrThrottled(err error) bool {
	return err != nil && (apierrors.IsForbidden(err) || apierrors.IsTooManyRequests(err))
}
