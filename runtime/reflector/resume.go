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

// resumeTimeout bounds how long the server may take to say which version is its latest. It is
// longer than client-go's clients go on by themselves if the server answers with Retry-After.
const resumeTimeout = time.Minute

// doubts reports whether the next step must compare versions with the server. A list needs
// no such question: its answer shows whether the server is behind.
func (r *Reflector[T]) doubts() bool {
	return r.doubt && r.rv != "" && r.rv != "0" && !r.latest && (r.current || !r.lists())
}

// resume reads the server's latest version, by a list of one object, and compares it with
// the version that was reached. If the server is not behind, the next step goes on from
// there; so it does if the server refuses the question. If it is behind, the next step
// reads what exists.
//
// resume does not ask for a version that is "not older than" the one that was reached. A
// server that was restored from a backup waits three seconds for it, then answers 504 with
// Retry-After, and client-go's clients repeat that ten times before they return it.
func (r *Reflector[T]) resume(ctx context.Context) error {
	r.did.enter(PhaseResuming)
	r.did.request(OpResume)
	asking, cancel := context.WithTimeoutCause(ctx, resumeTimeout, ErrStalled)
	defer cancel()
	meta, err := r.src.List(asking, metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector, Limit: 1,
	}, func(source.Item[T]) error { return nil })
	if asking.Err() != nil {
		r.missUnclear() // a list may get the answer that this question does not
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
	if v := classify(err); l.pressed && (v == again || v == unclear) && !errors.Is(err, ErrBackward) {
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
		resumes = r.failed(classify(err))
	}
	if l.heard {
		r.waits.answered()
	}
	r.waits.healthy(l.lasted, resumes && r.current && !short)
	return err
}

// failed decides what follows an error of a watch, and reports whether that is just
// another watch.
func (r *Reflector[T]) failed(v verdict) bool {
	switch v {
	case again:
		return true
	case expired, lost:
		// A list that is not older than rv is what is needed, and the server is ahead of rv.
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

// outrun decides what follows if the server does not know the version that was reached yet.
// A server that lags behind others will know it later; one that was restored from a backup
// will not. A list of the latest tells. With NoRelist, the question of resume does.
func (r *Reflector[T]) outrun() {
	if r.opts.NoRelist {
		r.doubt = true
		return
	}
	r.relist(true)
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
