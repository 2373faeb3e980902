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

// Sink receives the objects and changes that a reflector reads. *queue.InOrder and
// *queue.DeltaFIFO implement it and document its methods. An error of a Sink is retried like an
// error of the source, unless ctx has ended. A reflector passes the objects of a list as Keyed.
type Sink[T any] interface {
	Push(ctx context.Context, d queue.Delta[types.NamespacedName, T], resourceVersion string) error
	Replace(ctx context.Context, r queue.Replacement[types.NamespacedName, T]) error
	Bookmark(resourceVersion string) error
}

// Reflector copies the objects of a source and all their changes to a sink. Call Run once.
type Reflector[T metav1.Object] struct {
	src  source.ListerWatcher[T]
	sink Sink[T]
	opts Options[T]
	did  *activity

	mu        sync.Mutex // guards lastError and lastRV
	lastError *Error
	lastRV    string

	// The other fields belong to Run's goroutine.
	waits   waits
	rv      string // the last version read
	current bool   // a watch can start at rv; if not, the next step lists
	latest  bool   // the server cannot use rv: list the latest state
	doubt   bool   // the server may have lost rv: resume before the next watch
	listed  bool   // the existing objects were read, or Options.ResourceVersion stands for them
	paged   bool   // the server sends pages even where it could use its cache

	unclear int // unclear failures of watches since the last event
	shorts  int // consecutive short watches

	noWatchList bool // always LIST
	attempts    int  // failed WatchLists since the last success
	misses      int  // those of them with a responding server
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

// Run reads until ctx ends or, with Options.NoRelist, it cannot continue; LastError says why. It
// blocks and leaves no goroutine behind. Errors go to Options.OnError and LastError.
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

// step makes one request, or all requests of one list, and returns the operation with its error. If step
// returns no error, the next one begins at once. This cannot become a busy loop: the next request
// differs, or this one lasted a while.
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

// lists reports whether the next read of existing objects is a LIST, not a WatchList.
func (r *Reflector[T]) lists() bool {
	return r.noWatchList || r.attempts >= r.opts.WatchListAttempts
}

// LastError returns the last error, an *Error, or nil if there was none. It stays after the
// reflector has recovered; see Error.Time. It is safe for concurrent use.
func (r *Reflector[T]) LastError() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lastError == nil {
		return nil // and not a nil *Error
	}
	return r.lastError
}

// ResourceVersion returns the last version read, "" before the first list. The consumer of the
// sink may be behind. It is safe for concurrent use.
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

// reached sets the last version read.
func (r *Reflector[T]) reached(resourceVersion string) {
	r.rv = resourceVersion
	r.mu.Lock()
	r.lastRV = resourceVersion
	r.mu.Unlock()
}

// relist makes the next step read the existing objects, in their latest state if the server cannot
// use the last version.
func (r *Reflector[T]) relist(latest bool) {
	r.current = false
	r.latest = r.latest || latest
}

// deliver replaces the content of the sink by the collected list at resourceVersion.
func (r *Reflector[T]) deliver(ctx context.Context, op Op, c *collection[T], resourceVersion string) error {
	if c.nameless > 0 {
		return ErrIncomplete
	}
	n, undecoded, kept := c.existing()
	c.byKey = nil // free it before the sink allocates
	all := queue.Replacement[types.NamespacedName, T]{
		Keyed: c.objects(), KeyedLen: n, Undecoded: undecoded, Kept: kept,
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
	r.event(Event{
		Type: EventListed, Op: op, ResourceVersion: resourceVersion, Objects: n, Took: took, Rewound: all.Rewound,
	})
	return nil
}

// older reports whether version a is known to be older than b.
func older(a, b string) bool {
	order, err := resourceversion.Compare(a, b)
	return err == nil && order < 0
}
