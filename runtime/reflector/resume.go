// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// resumeTimeout bounds a resume. It is longer than the time for which client-go's own clients keep
// retrying a response with Retry-After.
const resumeTimeout = time.Minute

// checkServerVersion reads the server's latest version by a list of one object, and compares it with the last
// version read.
//
// The request is not for a version "not older than" the last one. A restored server would wait
// three seconds for it and answer 504 with Retry-After, which client-go's clients repeat ten times
// before they return it.
func (r *Reflector[T]) checkServerVersion(ctx context.Context) outcome {
	r.recordAndReportEvent(Event{Type: EventResuming, Op: OpResume, ResourceVersion: r.state.resourceVersion})
	ctx, cancel := context.WithTimeoutCause(ctx, resumeTimeout, errStalled)
	defer cancel()
	meta, err := r.src.List(ctx, metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector, Limit: 1,
	}, func(source.Delta[T], error) error { return nil })
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err == nil && resourceversion.Older(meta.ResourceVersion, r.state.resourceVersion):
		err = errBackward
	}
	return outcome{err: err}
}
