// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/askable"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resumeTimeout bounds how long the server may take to say whether it has a version.
// It waits for that itself, for about three seconds.
const resumeTimeout = 30 * time.Second

// doubts reports whether the server must be asked for the version that was reached
// before anything else is: a list says so by itself if the server is behind.
func (r *Reflector[T]) doubts() bool {
	return r.doubt && r.rv != "" && r.rv != "0" && !r.latest && (r.current || !r.lists())
}

// resume asks whether the server has the version that was reached, by a list of one
// object that is not older. If it has, or if it cannot be asked that, the next step
// goes on from there; if it is behind, the next step reads whatever there is.
func (r *Reflector[T]) resume(ctx context.Context) error {
	r.did.enter(PhaseResuming)
	r.did.request(OpResume)
	asking, dog := newWatchdog(ctx, resumeTimeout, ErrStalled)
	defer dog.stop()
	question := metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: r.rv, ResourceVersionMatch: metav1.ResourceVersionMatchNotOlderThan, Limit: 1,
	}
	if r.ahead { // which version is the latest, then, rather than whether it has this one?
		question.ResourceVersion, question.ResourceVersionMatch = "", ""
	}
	meta, err := r.src.List(asking, question, func(source.Item[T]) error { return nil })
	err = askable.Error(err)
	if asking.Err() != nil {
		return context.Cause(asking)
	}
	if err == nil {
		r.doubt, r.ahead = false, false
		if older(meta.ResourceVersion, r.rv) {
			err = ErrBackward
			r.relist(true)
		}
		return err
	}
	switch judge(err) {
	case tooLarge:
		r.outrun()
		return err
	case expired:
		r.relist(false)
		return err
	case invalid:
	case unclear:
		if !isRefused(err) {
			r.missUnclear()
			return err
		}
	default:
		if !apierrors.IsForbidden(err) {
			return err
		}
	}
	// The server does not know the question, or does not let us ask.
	r.report(newError(OpResume, err))
	r.doubt = false
	return nil
}

// life is what there is to know of a watch that has ended.
type life struct {
	lasted  time.Duration
	asked   time.Duration // after which the server was asked to end it
	heard   bool          // something came
	moved   bool          // something new came
	pressed bool          // its end was missed since the sink had no room
}

// orderly reports whether the watch was ended by the server as it was asked to, after
// it has shown that it had the version that the watch began at.
func (l life) orderly() bool { return l.heard && l.lasted >= l.asked-time.Second }

// ended decides what follows the end of a watch.
func (r *Reflector[T]) ended(err error, l life) error {
	if v := judge(err); l.pressed && (v == again || v == unclear) && !errors.Is(err, ErrBackward) {
		err, l.lasted = nil, max(l.lasted, l.asked) // ended by us, or unread for too long
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
		r.relist(false) // a watch from nowhere cannot be resumed
	}
	if !l.orderly() && !isAnswerOfTheSame(err) {
		r.doubt = true
	}
	if r.shorts++; l.moved || !short {
		r.shorts = 0
	}
	resumes := err == nil
	switch {
	case err == nil, errors.Is(err, ErrBackward), errors.Is(err, ErrUnversioned):
	case errors.Is(err, ErrShortWatch):
		resumes = true
		if r.shorts >= maxShort && !r.opts.NoRelist {
			r.shorts = 0
			r.relist(false)
		}
	case errors.Is(err, ErrOverdue):
		resumes = true
	default:
		resumes = r.failed(judge(err))
	}
	r.waits.healthy(l.lasted, resumes && r.current && (l.moved || !short))
	return err
}

// failed decides what follows an error of a watch, and reports whether that is just
// another watch.
func (r *Reflector[T]) failed(v verdict) bool {
	switch v {
	case again:
		return true
	case expired:
		// Lists at rv are not older than rv, and that is what is needed; and the
		// server is ahead of it.
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

// outrun decides what follows when the server does not know the version that was reached
// yet. One that lags behind others will; one that was restored from a backup will not.
// A list of the latest tells, and if there must be none, the question that precedes a
// watch.
func (r *Reflector[T]) outrun() {
	if !r.opts.NoRelist {
		r.relist(true)
		return
	}
	r.ahead, r.doubt = true, true
}

// missUnclear notes a failure that may mean anything; after some, all is read again.
func (r *Reflector[T]) missUnclear() {
	if r.unclear++; r.unclear >= maxUnclear && !r.opts.NoRelist {
		r.unclear = 0
		r.relist(false)
	}
}

// isAnswerOfTheSame recognizes errors by which a server that is well refuses a watch.
func isAnswerOfTheSame(err error) bool {
	return err != nil && (apierrors.IsForbidden(err) || apierrors.IsTooManyRequests(err))
}
