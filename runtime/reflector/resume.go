// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resumeTimeout bounds a resume. It is longer than the time for which client-go's own clients keep
// retrying a response with Retry-After.
const resumeTimeout = time.Minute

// doubts reports whether the next step is a resume. A LIST needs none, because its response shows
// whether the server is behind.
func (r *Reflector[T]) doubts() bool {
	return r.doubt && r.rv != "" && r.rv != "0" && !r.latest && (r.current || !r.lists())
}

// resume reads the server's latest version by a list of one object, and compares it with the last
// version read. If the server is behind, the next step lists. Otherwise, and if the server refuses
// the request, the next step watches.
//
// The request is not for a version "not older than" the last one. A restored server would wait
// three seconds for it and answer 504 with Retry-After, which client-go's clients repeat ten times
// before they return it.
func (r *Reflector[T]) resume(ctx context.Context) error {
	r.did.enter(PhaseResuming)
	r.did.request(OpResume)
	asking, cancel := context.WithTimeoutCause(ctx, resumeTimeout, ErrStalled)
	defer cancel()
	meta, err := r.src.List(asking, metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector, Limit: 1,
	}, func(source.Item[T]) error { return nil })
	if asking.Err() != nil {
		r.missUnclear() // a list may succeed where this request does not
		return context.Cause(asking)
	}
	if err == nil {
		r.waits.answered()
		r.doubt = false
		if older(meta.ResourceVersion, r.rv) {
			err = ErrBackward
			r.relist(true)
		}
		return err
	}
	switch v := classify(err); {
	case v == invalid, v == unclear && isRefused(err), apierrors.IsForbidden(err):
		r.report(newError(OpResume, err))
		r.doubt = false
		return nil
	case v != again:
		r.missUnclear()
	}
	return err
}

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
