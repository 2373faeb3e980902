// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	"github.com/indexer-gen/indexer-gen/runtime/shard"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Informer keeps a store as its source is, and tells handlers of every change. Its
// methods are safe for concurrent use.
type Informer[T metav1.Object] struct {
	resource schema.GroupVersionResource
	plural   source.Plural[T] // what it was made with, if that is one
	store    *store.Store[types.NamespacedName, T]
	feeder   *store.Feeder[types.NamespacedName, T]
	opts     options
	clock    *clock
	journal  *journal // nil if nothing is logged
	insight  insight

	synced   chan struct{}  // closed once the first lists are in the store
	turn     ctxsync.Mutex  // held while a batch is applied and handed out
	waiting  ctxsync.Mutex  // held while a source waits for handlers
	distinct distinct       // used by whoever holds turn
	changed  ctxsync.Signal // raised when the parts of plural have changed

	mu        sync.Mutex // guards what follows; nothing foreign runs under it
	lastError error
	streams   []*Stream[T] // replaced, never changed, when one goes
	reserved  []string     // names of sources that are being added
	several   bool         // there is, or was, another than the one without a name
	listeners []*listener[T]
	joining   []*listener[T] // added while a batch is applied
	resyncing []*listener[T] // want a resync, since then
	removed   []*listener[T] // of which a call may yet be going on
	applying  bool           // the store may be ahead of what listeners have been given
	hasSynced bool
	awaited   []*Stream[T]    // are to sync first, since the run has begun
	running   *run            // until it has ended
	ending    bool            // nothing else may be started in running
	stopped   chan struct{}   // closed when a run ends; another one for the next
	aligning  []chan struct{} // closed once the sources are those of plural
}

// run is one call of Run: what the goroutines live in that it starts.
type run struct {
	ctx      context.Context
	done     waitgroup.Group
	launched bool   // what is to be awaited is known
	unhook   func() // ends that the store tells of errors
}

// New returns an informer that will keep s as src is, once it is run. The store may
// be read by all and should be written by nobody else. With a nil src the informer
// can do all but run, until it has a source (AddSource). src may be a source.Plural,
// which is made up of several.
func New[T metav1.Object](gvr schema.GroupVersionResource, src source.ListerWatcher[T], s *store.Store[types.NamespacedName, T], opts ...Option) *Informer[T] {
	i := &Informer[T]{
		resource: gvr, store: s, turn: ctxsync.NewMutex(), waiting: ctxsync.NewMutex(), changed: ctxsync.NewSignal(),
		synced: make(chan struct{}), stopped: make(chan struct{}), clock: newClock(), distinct: newDistinct(),
	}
	for _, opt := range opts {
		opt(&i.opts)
	}
	if src != nil && i.opts.shards != nil {
		src = shard.Source(src, i.opts.shards)
	}
	i.journal = journalOf(i.opts.logger, describe(gvr, ""), i.opts.name)
	if plural, ok := src.(source.Plural[T]); ok {
		i.plural, i.several = plural, true
	} else if src != nil {
		i.streams = []*Stream[T]{newStream(i, "", src)}
	}
	i.lastError = i.name(ErrNotStarted)
	i.feeder = store.NewFeeder(s, i.explain)
	return i
}

// Resource returns what the informer was made for.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.resource }

// Store returns what the informer writes to.
func (i *Informer[T]) Store() *store.Store[types.NamespacedName, T] { return i.store }

// Run reads the source, fills the store and calls the handlers until ctx ends, and
// returns nil then; if that was by a deadline and the first list is not in the store, the
// error handler is told [ErrShortLived]. When it returns, every goroutine of the informer
// has ended and no handler is being called; until then it cannot be run again. It fails at
// once if the informer has no source or is running.
//
// What handlers have not been told by then they are told when the informer is run
// again, in order; if it is not, they never are. A later run starts with a list, and
// handlers are told how that differs from what the store holds.
func (i *Informer[T]) Run(ctx context.Context) error {
	if !i.canRun() {
		return i.report(ErrNoSource)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{ctx: ctx}
	if err := i.begin(r); err != nil {
		return err
	}
	defer i.publish()()
	stop := func() {}
	if i.plural != nil {
		stop = i.plural.Follow(i.align)
		i.adopt(ctx, i.plural.Parts()) // before launch, which says what is awaited
		r.done.Go(func() { i.keepParts(ctx) })
	}
	i.launch(r)
	<-ctx.Done()
	stop()
	i.complain(ctx)
	i.end(r)
	return nil
}

// canRun reports whether the informer has a source, or had one.
func (i *Informer[T]) canRun() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.several || len(i.streams) > 0
}

// begin makes r the informer's run.
func (i *Informer[T]) begin(r *run) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return i.name(ErrRunning)
	}
	i.running = r
	i.feeder.Halt(nil)
	r.unhook = i.feeder.OnError(i.tell) // an index function that fails is an error of the informer too
	i.forgive()
	if isClosed(i.stopped) { // from the last run
		i.stopped = make(chan struct{})
	}
	for _, l := range i.listeners {
		l.start(r)
	}
	return nil
}

// launch begins to read the sources. The informer has synced when those have that there
// are now.
func (i *Informer[T]) launch(r *run) {
	for _, s := range i.Streams() {
		s.look()
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.awaited = nil
	for _, s := range i.streams {
		if !s.hasSynced && !s.leaving {
			i.awaited = append(i.awaited, s)
		}
		s.start(r)
	}
	r.launched = true
	if !i.applying && i.completes(nil) { // there is nothing to be read
		for _, l := range i.listeners {
			l.inbox.put(nil, false, false, true, true)
			l.wake.Raise()
		}
	}
}

// end waits for everything that was started in r, whose context has ended.
func (i *Informer[T]) end(r *run) {
	i.mu.Lock()
	i.ending = true
	i.mu.Unlock()
	i.awaitEnd(r)
	r.unhook()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running, i.ending = nil, false
	close(i.stopped)
}

// expect is called before a run begins on another goroutine.
func (i *Informer[T]) expect() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.forgive()
}

// forgive forgets that the informer did not run. The lock must be held.
func (i *Informer[T]) forgive() {
	if errors.Is(i.lastError, ErrNotStarted) || errors.Is(i.lastError, ErrStopped) {
		i.lastError = nil
	}
}

// abandon has whoever waits for the informer, or for its store, wait no longer: its factory
// will not run it again. Another may.
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
