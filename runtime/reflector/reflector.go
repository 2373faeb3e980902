// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"context"
	"errors"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Reflector copies the objects of a source and all their changes to a sink. Call Run once.
type Reflector[T metav1.Object] struct {
	src    source.Source[T]
	sink   Sink[T]
	opts   Options[T]
	status status

	// Used by Run's goroutine.
	state      state
	listSize   int   // objects of the last complete list
	incomplete int   // consecutive lists that failed with ErrIncomplete
	reason     error // why a list would come next: the *Error of the last operation but a resume, or nil
}

// New returns a reflector that reads src into sink.
func New[T metav1.Object](src source.Source[T], sink Sink[T], opts Options[T]) *Reflector[T] {
	opts.Settings = opts.Settings.withDefaults()
	if opts.Known != nil {
		src = src.Reusing(opts.Known)
	}
	known := opts.NoRelist && opts.ResourceVersion != ""
	r := &Reflector[T]{
		src: src, sink: sink, opts: opts,
		state: state{
			rules:   rules{consistent: opts.Consistent, noRelist: opts.NoRelist, backoff: opts.Backoff},
			version: opts.ResourceVersion, unsure: opts.ResourceVersion != "", watchable: known, listed: known,
			noWatchList: opts.NoWatchList || src.NoWatchList,
		},
	}
	r.status.init(r.state.noWatchList)
	return r
}

// Run reads until ctx ends or, with Options.NoRelist, it cannot continue; the LastError of Stats says why.
// It blocks and leaves no goroutine behind.
func (r *Reflector[T]) Run(ctx context.Context) {
	defer r.event(Event{Type: EventEnded})
	for op := r.state.operation(); ctx.Err() == nil; {
		done, out := r.perform(ctx, op)
		if ctx.Err() != nil {
			return
		}
		var wait time.Duration
		if op, wait = r.decide(done, out); op == opNone {
			return
		}
		if wait > 0 {
			r.event(Event{Type: EventWaiting, Op: op, Took: wait})
			ctxsync.Sleep(ctx, wait)
		}
	}
}

// perform makes one request, or all requests of one list. It returns the operation that the outcome
// is of: a WatchList that is complete continues as a watch.
func (r *Reflector[T]) perform(ctx context.Context, op Op) (Op, outcome) {
	switch op {
	case OpResume:
		return op, r.resume(ctx)
	case OpWatch:
		return op, r.watch(ctx)
	case OpList:
		return op, r.list(ctx)
	}
	return r.watchList(ctx)
}

// decide reports the outcome of op and returns the next operation, and the wait before it.
func (r *Reflector[T]) decide(op Op, out outcome) (step Op, wait time.Duration) {
	always := r.state.noWatchList
	r.state, step, wait = next(r.state, op, out)
	wait = r.opts.Backoff.jittered(wait)
	if step == opNone && out.err == nil {
		out.err = ErrUnversioned
	}
	incomplete := errors.Is(out.err, ErrIncomplete)
	if !incomplete {
		r.incomplete = 0
	}
	if op != OpResume {
		r.reason = nil
	}
	if out.err != nil {
		e := newError(op, out.err)
		e.Wait = wait
		r.reason = e
		r.event(Event{Type: EventFailed, Op: op, Err: e})
	}
	if incomplete {
		r.incomplete++
	}
	if op == OpWatchList && r.state.lists() || r.state.noWatchList != always {
		r.event(Event{Type: EventNoWatchList, Op: OpWatchList, Always: r.state.noWatchList, Err: out.err})
	}
	return step, wait
}

// reached sets the last version read.
func (r *Reflector[T]) reached(resourceVersion string) {
	r.state.version = resourceVersion
	r.status.update(func(s *Stats) { s.ResourceVersion = resourceVersion })
}

// replace passes a complete list at version to the sink.
func (r *Reflector[T]) replace(ctx context.Context, op Op, list *partialList[T], version string) error {
	if list.keyless > 0 {
		return ErrIncomplete
	}
	rewound := resourceversion.Older(version, r.state.version)
	all := delta.Batch[types.NamespacedName, T]{Replace: true, ResourceVersion: version, Rewound: rewound}
	all.Deltas, r.listSize = list.complete()
	if err := r.sink.Replace(ctx, all); err != nil {
		return err
	}
	r.reached(version)
	took := r.status.phaseLasted()
	r.status.listTimes.Observe(took)
	r.event(Event{
		Type: EventListed, Op: op, ResourceVersion: version, Objects: r.listSize, Took: took, Rewound: rewound,
	})
	return nil
}
