// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
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
