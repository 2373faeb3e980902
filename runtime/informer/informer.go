// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Informer mirrors a source in a store and notifies handlers of every change. Create one with
// New. Its methods are safe for concurrent use.
type Informer[T metav1.Object] struct {
	resource schema.GroupVersionResource
	multi    source.Multi[T] // the source of New, if it has several parts
	store    *store.Store[types.NamespacedName, T]
	feeder   *store.Feeder[types.NamespacedName, T]
	opts     options
	invalid  error // why opts are wrong, or nil
	clock    *inbox.Clock
	log      *log // nil without a logger

	synced  chan struct{}  // closed once the first lists are in the store
	turn    ctxsync.Mutex  // held while a batch is applied and distributed
	waiting ctxsync.Mutex  // held while a source waits for handlers
	changed ctxsync.Signal // raised when the parts of multi have changed

	delivery inbox.Delivery[T] // guarded by turn

	mu          sync.Mutex // guards the fields below; no foreign code runs under it
	lastError   error
	indexErrors map[string]int64 // errors of index functions, by index
	sources     []*Source[T]     // copied on write
	several     bool             // there is, or was, a source besides the one with the name ""
	listeners   []*listener[T]   // copied on write
	joining     []*listener[T]   // added while a batch is applied
	resyncing   []*listener[T]   // whose resync came due while a batch is applied
	calling     []*listener[T]   // whose goroutine runs
	applying    bool             // the store may be ahead of the listeners
	hasSynced   bool
	awaited     []*Source[T]    // must sync before the informer has synced; set by launch
	running     *run            // nil if the informer is not running
	ending      bool            // nothing can be started in running anymore
	stopped     chan struct{}   // closed when a run ends; replaced by the next run
	aligning    []chan struct{} // closed once the sources are the parts of multi
}

// run is one call of Run. It owns the goroutines that the call starts.
type run struct {
	ctx      context.Context
	done     waitgroup.Group
	launched bool   // awaited is set
	unhook   func() // ends the reports of the store
}

// New returns an informer that mirrors src in s while it runs. Only the informer should write to
// s. If src is nil, the informer needs a source before it can run; see AddSource. If src
// implements source.Multi, the informer reads its parts.
func New[T metav1.Object](
	gvr schema.GroupVersionResource, src source.ListerWatcher[T],
	s *store.Store[types.NamespacedName, T], opts ...Option,
) *Informer[T] {
	i := &Informer[T]{
		resource: gvr, store: s, clock: inbox.NewClock(),
		turn: ctxsync.NewMutex(), waiting: ctxsync.NewMutex(), changed: ctxsync.NewSignal(),
		synced: make(chan struct{}), stopped: make(chan struct{}), indexErrors: make(map[string]int64),
	}
	for _, opt := range opts {
		opt(&i.opts)
	}
	i.log = newLog(i.opts.logger, describe(gvr, "", ""), i.opts.name)
	if multi, ok := src.(source.Multi[T]); ok {
		i.multi, i.several = multi, true
	} else if src != nil {
		i.sources = []*Source[T]{newSource(i, "", src)}
	}
	i.invalid = validate[T](&i.opts)
	i.lastError = i.name(cmp.Or(i.invalid, ErrNotStarted))
	i.feeder = store.NewFeeder(s, i.explain)
	return i
}

// Resource returns the informer's GroupVersionResource.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.resource }

// Store returns the informer's store.
func (i *Informer[T]) Store() *store.Store[types.NamespacedName, T] { return i.store }

// Run reads the source, fills the store and calls the handlers until ctx ends. It then returns
// nil. All goroutines of the informer have ended by then, and no handler is being called. If ctx
// reaches its deadline before the informer has synced, Run reports [ErrShortLived] to the error
// handler. Run returns an error at once if the informer has no source or is running, or if a transform
// is of a wrong type.
//
// An informer can be run again after Run has returned. Changes that a handler was not notified
// of stay pending until then, or are lost if the informer never runs again. The next run starts
// with a list; handlers are notified of the differences from the store.
func (i *Informer[T]) Run(ctx context.Context) error {
	if i.invalid != nil {
		return i.report(i.invalid)
	}
	if !i.hasSource() {
		return i.report(ErrNoSource)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{ctx: ctx}
	if err := i.begin(r); err != nil {
		return err
	}
	stop := func() {}
	if i.multi != nil {
		stop = i.multi.Follow(i.align)
		i.adopt(ctx, i.multi.Sources()) // before launch, which collects the awaited sources
		r.done.Go(func() { i.followParts(ctx) })
	}
	i.launch(r)
	<-ctx.Done()
	stop()
	i.reportShortLived(ctx)
	i.end(r)
	return nil
}

// hasSource reports whether the informer has or had a source.
func (i *Informer[T]) hasSource() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.several || len(i.sources) > 0
}

// begin makes r the current run.
func (i *Informer[T]) begin(r *run) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return i.name(ErrRunning)
	}
	i.running = r
	i.feeder.Halt(nil)
	r.unhook = i.feeder.AddErrorHandler(i.tell)
	i.clearNotStarted()
	if isClosed(i.stopped) {
		i.stopped = make(chan struct{})
	}
	for _, l := range i.listeners {
		l.start(r)
	}
	return nil
}

// launch starts reading the sources. The informer has synced when its current sources have.
func (i *Informer[T]) launch(r *run) {
	for _, s := range i.Sources() {
		s.loadPosition()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.awaited = nil
	for _, s := range i.sources {
		if !s.hasSynced && !s.leaving {
			i.awaited = append(i.awaited, s)
		}
		s.start(r)
	}
	r.launched = true
	if !i.applying && i.completes() { // nothing is awaited
		for _, l := range i.listeners {
			l.inbox.Put(&inbox.Delivery[T]{Initial: true, Last: true})
			l.wake.Raise()
		}
	}
}

// end waits for all goroutines of r, whose context has ended.
func (i *Informer[T]) end(r *run) {
	i.mu.Lock()
	i.ending = true
	i.mu.Unlock()
	r.done.Wait()
	r.unhook()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running, i.ending = nil, false
	close(i.stopped)
}

// expect clears the error of an informer that was not running. A factory calls it before it
// runs the informer on another goroutine.
func (i *Informer[T]) expect() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.clearNotStarted()
}

// clearNotStarted clears the last error if it says that the informer was not running. It
// requires i.mu.
func (i *Informer[T]) clearNotStarted() {
	if errors.Is(i.lastError, ErrNotStarted) || errors.Is(i.lastError, ErrStopped) {
		i.lastError = nil
	}
}

// abandon ends the waits for the informer and its store. A factory calls it if it will not run
// the informer again. The informer may still be run without the factory.
func (i *Informer[T]) abandon() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return
	}
	i.feeder.Halt(i.name(ErrStopped))
	if errors.Is(i.lastError, ErrNotStarted) {
		i.lastError = i.name(ErrStopped)
	}
	if !isClosed(i.stopped) {
		close(i.stopped)
	}
}
