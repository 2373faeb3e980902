// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
)

// While a type is absent, the reflector asks every probePeriod whether it is served. The phase is random, and
// one for all reflectors of a program, so that those of one connection share the requests.
const probePeriod = 10 * time.Second

var probePhase = rand.Int64N(int64(probePeriod))

// confirmUnserved reports whether a request failed with err because the server does not serve the type. After a 404 it asks
// the source: once if the type was not read yet, and otherwise for probePeriod.
func (r *Reflector[T]) confirmUnserved(ctx context.Context, err error) bool {
	if r.src.Served == nil || r.opts.NoRelist || !apierrors.IsNotFound(err) {
		return false
	}
	wasRead := r.state.firstListDoneOrSkipped || r.state.resourceVersion != "" // and not absent since
	var since time.Time                                                        // of the first answer
	for {
		if served, err := r.askServedReportingError(ctx); served || err != nil {
			return false
		}
		if since.IsZero() {
			since = time.Now()
		}
		left := probePeriod - time.Since(since)
		if !wasRead || left <= 0 {
			return true
		}
		r.pauseUnlessWoken(ctx, left)
	}
}

// clearSinkAndAwaitServed passes an empty list to the sink, because the type is absent, and returns when the type is
// served.
func (r *Reflector[T]) clearSinkAndAwaitServed(ctx context.Context) outcome {
	err := r.sink.Replace(ctx, delta.Batch[types.NamespacedName, T]{Replace: true, Absent: true})
	if err != nil {
		return outcome{err: err}
	}
	r.recordAndReportEvent(Event{Type: EventAbsent, Op: OpDiscovery})
	for ctx.Err() == nil {
		if served, _ := r.askServedReportingError(ctx); served {
			break
		}
		r.pauseUnlessWoken(ctx, probePeriod-time.Duration(time.Now().UnixNano()+probePhase)%probePeriod)
	}
	return outcome{}
}

// askServedReportingError asks the source, and reports its error.
func (r *Reflector[T]) askServedReportingError(ctx context.Context) (bool, error) {
	served, err := r.src.Served(ctx)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("whether the type is served is unknown: %w", err)
		r.recordAndReportEvent(Event{Type: EventFailed, Op: OpDiscovery, Err: newError(OpDiscovery, err)})
	}
	return served, cmp.Or(err, ctx.Err())
}

// pauseUnlessWoken waits for d, until Options.Wake has a value, or until ctx ends.
func (r *Reflector[T]) pauseUnlessWoken(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-r.opts.Wake:
	case <-ctx.Done():
	}
}
