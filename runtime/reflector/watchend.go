// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"errors"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// life describes a watch that has ended.
type life struct {
	lasted  time.Duration
	asked   time.Duration // the requested timeout
	heard   bool          // an event came
	moved   bool          // an event with a new version came
	pressed bool          // the sink was full at the deadline
}

// orderly reports whether the server ended the watch as requested, and had shown by an event that
// it has the version that the watch started at.
func (l life) orderly() bool { return l.heard && l.lasted >= l.asked-time.Second }

// ended handles the end of a watch.
func (r *Reflector[T]) ended(err error, l life) error {
	if v := classify(err); l.pressed && (v == again || v == unclear) && !errors.Is(err, ErrBackward) {
		// No failure: we canceled the watch, or the sink was full and we did not read it in time.
		err, l.lasted = nil, max(l.lasted, l.asked)
	}
	short := l.lasted < r.opts.ShortWatch
	r.watched(err, l)
	switch {
	case err != nil:
	case short:
		err = ErrShortWatch
	case r.rv == "" && l.lasted < r.opts.Backoff.Reset:
		err = ErrUnversioned
	}
	if r.rv == "" {
		r.relist(false) // without a version a watch cannot be resumed
	}
	if !l.orderly() && !isAnswerOfTheSame(err) {
		r.doubt = true
	}
	if r.shorts++; l.moved || !short {
		r.shorts = 0
	}
	resumes := true // unless a list follows
	switch {
	case err == nil, errors.Is(err, ErrBackward), errors.Is(err, ErrUnversioned), errors.Is(err, ErrOverdue):
	case errors.Is(err, ErrShortWatch):
		if r.shorts >= maxShort && !r.opts.NoRelist {
			r.shorts = 0
			r.relist(false)
		}
	default:
		resumes = r.failed(classify(err))
	}
	if l.heard {
		r.waits.answered()
	}
	r.waits.healthy(l.lasted, resumes && r.current && !short)
	return err
}

// failed handles an error of a watch, and reports whether the watch is only repeated.
func (r *Reflector[T]) failed(v verdict) bool {
	switch v {
	case again:
		return true
	case expired, lost:
		// The server is ahead of rv, so a list not older than rv is enough.
		r.relist(false)
		r.doubt = false
	case tooLarge:
		r.outrun()
	case invalid:
		r.relist(true)
	case unclear:
		r.missUnclear()
	}
	return false
}

// outrun handles a server that does not have the last version. It may lag behind others, or be restored
// from a backup. To find out which, list the latest state or, with NoRelist, resume.
func (r *Reflector[T]) outrun() {
	if r.opts.NoRelist {
		r.doubt = true
		return
	}
	r.relist(true)
}

// missUnclear counts an unclear failure. After maxUnclear the reflector lists.
func (r *Reflector[T]) missUnclear() {
	if r.unclear++; r.unclear >= maxUnclear && !r.opts.NoRelist {
		r.unclear = 0
		r.relist(false)
	}
}

// isAnswerOfTheSame recognizes errors by which a healthy server refuses a watch.
func isAnswerOfTheSame(err error) bool {
	return err != nil && (apierrors.IsForbidden(err) || apierrors.IsTooManyRequests(err))
}
