// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package reflector

import (
	"cmp"
	"context"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Sink receives what a reflector reads. *queue.InOrder and *queue.DeltaFIFO implement it; see
// them for the contract of the methods. An error of a Sink is retried like an error of the
// source, unless ctx has ended. A reflector passes the objects of a list as Keyed.
type Sink[T any] interface {
	Push(ctx context.Context, d queue.Delta[types.NamespacedName, T], resourceVersion string) error
	Replace(ctx context.Context, r queue.Replacement[types.NamespacedName, T]) error
	Bookmark(resourceVersion string) error
}

// Reflector copies what a source holds, and then every change, to a sink. It is used
// once: by one call of Run.
type Reflector[T metav1.Object] struct {
	src  source.ListerWatcher[T]
	sink Sink[T]
	opts Options[T]
	did  *activity

	mu        sync.Mutex // guards what follows, for whoever asks
	lastError *Error
	lastRV    string

	// The rest belongs to Run's goroutine.
	waits   waits
	rv      string // how far the source has been read
	current bool   // rv can be watched from; if not, what exists must be read again
	latest  bool   // rv is of no use to the server: read the latest
	doubt   bool   // the server may have lost rv since it was last heard of
	listed  bool   // what exists has been read, or was known from the start
	paged   bool   // the server sends pages even where it could use its cache

	unclear int // failures of watches since the last event that say to list
	shorts  int // watches in a row that ended at once

	noWatchList bool // remembered: only LIST works here
	attempts    int  // of WatchList that failed since the last success
	misses      int  // those of them that an answering server let fail
}

// New returns a reflector that reads src into sink.
func New[T metav1.Object](src source.ListerWatcher[T], sink Sink[T], opts Options[T]) *Reflector[T] {
	opts = opts.withDefaults()
	if opts.Known != nil && opts.Transform == nil {
		src = source.Reusing(src, opts.Known)
	}
	r := &Reflector[T]{
		src: src, sink: sink, opts: opts, waits: waits{Backoff: opts.Backoff}, did: newActivity(),
		rv: opts.ResourceVersion, doubt: opts.ResourceVersion != "",
	}
	r.noWatchList = opts.NoWatchList || !source.SupportsWatchList(src)
	r.did.noWatchList(r.noWatchList)
	if opts.NoRelist && opts.ResourceVersion != "" {
		r.current, r.listed = true, true
	}
	return r
}

// Run reads until ctx ends or, with Options.NoRelist, it can read no further; LastError
// says why. It blocks, starts no goroutines that outlive it, and returns nothing: errors
// are told to Options.OnError and kept for LastError.
func (r *Reflector[T]) Run(ctx context.Context) {
	defer r.did.enter(PhaseEnded)
	for ctx.Err() == nil {
		watched := r.current
		op, err := r.step(ctx)
		if ctx.Err() != nil {
			return
		}
		if r.opts.NoRelist && r.listed && !r.current {
			r.report(newError(op, cmp.Or(err, ErrUnversioned)))
			return
		}
		if err == nil {
			continue
		}
		e := newError(op, err)
		if relists := watched && !r.current; !relists || !r.waits.relist(err) {
			e.Wait = r.waits.after(err)
		}
		r.report(e)
		r.did.wait(e.Wait)
		sleep(ctx, e.Wait)
	}
}

// step makes one request, or as many as make up one list, and says what it was doing
// when it failed. After nil the next step follows at once; every nil is followed by a
// different request or ends a request that lasted a while.
func (r *Reflector[T]) step(ctx context.Context) (Op, error) {
	switch {
	case r.doubts():
		return OpResume, r.resume(ctx)
	case r.current:
		return OpWatch, r.watch(ctx)
	case r.lists():
		return OpList, r.list(ctx)
	default:
		return r.watchList(ctx)
	}
}

// lists reports whether what exists is listed rather than streamed.
func (r *Reflector[T]) lists() bool {
	return r.noWatchList || r.attempts >= r.opts.WatchListAttempts
}

// LastError returns the last error, an *Error, or nil if there was none yet. It
// remains after the reflector has recovered; see Error.Time. It may be called at
// any time by any goroutine.
func (r *Reflector[T]) LastError() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lastError == nil {
		return nil // and not a nil *Error
	}
	return r.lastError
}

// ResourceVersion returns how far the source has been read, "" if not at all. What
// was read may not have been consumed yet. It may be called at any time by any
// goroutine.
func (r *Reflector[T]) ResourceVersion() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lastRV
}

func (r *Reflector[T]) report(err *Error) {
	r.did.failed(err)
	r.mu.Lock()
	r.lastError = err
	r.mu.Unlock()
	if r.opts.OnError != nil {
		r.opts.OnError(err)
	}
}

// reached notes how far the source has been read.
func (r *Reflector[T]) reached(resourceVersion string) {
	r.rv = resourceVersion
	r.mu.Lock()
	r.lastRV = resourceVersion
	r.mu.Unlock()
}

// relist has the next step read what exists. latest says that the server can do
// nothing with the resourceVersion that was reached.
func (r *Reflector[T]) relist(latest bool) {
	r.current = false
	r.latest = r.latest || latest
}

// deliver replaces what the sink holds by what was collected at resourceVersion.
func (r *Reflector[T]) deliver(ctx context.Context, op Op, c *collection[T], resourceVersion string) error {
	if c.nameless > 0 {
		return ErrIncomplete
	}
	n, usable, kept := c.existing()
	c.byKey = nil // the sink's work takes memory of its own
	all := queue.Replacement[types.NamespacedName, T]{
		Keyed: c.objects(), KeyedLen: usable, Kept: kept,
		ResourceVersion: resourceVersion, Rewound: older(resourceVersion, r.rv),
	}
	if err := r.sink.Replace(ctx, all); err != nil {
		return err
	}
	*c = collection[T]{}
	r.reached(resourceVersion)
	r.waits.answered()
	r.current, r.latest, r.doubt, r.unclear, r.shorts = true, false, false, 0, 0
	r.listed = true
	took := r.did.delivered(n, all.Rewound)
	r.event(Event{Type: EventListed, Op: op, ResourceVersion: resourceVersion, Objects: n, Took: took, Rewound: all.Rewound})
	return nil
}

// older reports whether a is known to come before b.
func older(a, b string) bool {
	order, err := resourceversion.Compare(a, b)
	return err == nil && order < 0
}
