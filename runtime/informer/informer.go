// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/queue"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
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
	src      source.ListerWatcher[T]
	store    *store.Store[types.NamespacedName, T]
	opts     options

	synced chan struct{} // closed once the first list is in the store

	mu        sync.Mutex // guards what follows; nothing foreign runs under it
	lastError error
	listeners []*listener[T]
	joining   []*listener[T] // added while a batch is applied
	resyncing []*listener[T] // want a resync, since then
	applying  bool           // the store may be ahead of what listeners have been given
	hasSynced bool
	running   *run          // until it has ended
	ending    bool          // nothing else may be started in running
	stopped   chan struct{} // closed when a run ends; another one for the next
}

// run is one call of Run: what the goroutines live in that it starts.
type run struct {
	ctx  context.Context
	done sync.WaitGroup
}

// New returns an informer that will keep s as src is, once it is run. The store may
// be read by all and should be written by nobody else. With a nil src the informer
// can do all but run.
func New[T metav1.Object](gvr schema.GroupVersionResource, src source.ListerWatcher[T], s *store.Store[types.NamespacedName, T], opts ...Option) *Informer[T] {
	i := &Informer[T]{
		resource: gvr, src: src, store: s,
		synced: make(chan struct{}), stopped: make(chan struct{}),
	}
	for _, opt := range opts {
		opt(&i.opts)
	}
	i.lastError = i.name(ErrNotStarted)
	return i
}

// Resource returns what the informer was made for.
func (i *Informer[T]) Resource() schema.GroupVersionResource { return i.resource }

// Store returns what the informer writes to.
func (i *Informer[T]) Store() *store.Store[types.NamespacedName, T] { return i.store }

// Run reads the source, fills the store and calls the handlers until ctx ends, and
// returns nil then. When it returns, every goroutine of the informer has ended and no
// handler is being called; until then it cannot be run again. It fails at once if the
// informer has no source or is running.
//
// What handlers have not been told by then they are told when the informer is run
// again, in order; if it is not, they never are. A later run starts with a list, and
// handlers are told how that differs from what the store holds.
func (i *Informer[T]) Run(ctx context.Context) error {
	if i.src == nil {
		return i.report(ErrNoSource)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{ctx: ctx}
	if err := i.begin(r); err != nil {
		return err
	}
	defer i.store.OnError(i.tell)() // an index function that fails is an error of the informer too

	q := queue.NewDeltaFIFO(queue.Config[types.NamespacedName, T]{
		Key: queue.ObjectKey[T], BatchSize: i.opts.batchSize,
	})
	opts := reflectorOptions[T](&i.opts)
	opts.ResourceVersion = i.store.Reader().ResourceVersion()
	opts.OnError = i.tell
	opts.Known = func(key types.NamespacedName) (T, bool) { return i.store.Reader().Get(key) }
	r.done.Go(func() { reflector.New(i.src, q, opts).Run(ctx) })

	p := processor[T]{informer: i, ctx: ctx}
	for ctx.Err() == nil {
		// Fails only with ctx: process reports its own errors, and nobody closes q.
		_ = q.Pop(ctx, p.process)
	}
	i.end(r)
	return nil
}

// begin makes r the informer's run.
func (i *Informer[T]) begin(r *run) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return i.name(ErrRunning)
	}
	i.running = r
	if errors.Is(i.lastError, ErrNotStarted) {
		i.lastError = nil
	}
	select {
	case <-i.stopped: // from the last run
		i.stopped = make(chan struct{})
	default:
	}
	for _, l := range i.listeners {
		l.start(r)
	}
	return nil
}

// end waits for everything that was started in r, whose context has ended.
func (i *Informer[T]) end(r *run) {
	i.mu.Lock()
	i.ending = true
	i.mu.Unlock()
	r.done.Wait()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running, i.ending = nil, false
	close(i.stopped)
}

// name wraps err in an *Error that names the informer.
func (i *Informer[T]) name(err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Err: err}
}

// report names the informer in err, keeps it for LastError, tells the error handler, and
// returns it.
func (i *Informer[T]) report(err error) error {
	err = i.name(err)
	i.mu.Lock()
	i.lastError = err
	i.mu.Unlock()
	if i.opts.errorHandler != nil {
		i.opts.errorHandler(err)
	}
	return err
}

// tell is report for those who have no use for its result.
func (i *Informer[T]) tell(err error) { _ = i.report(err) }

// LastError returns the last error of the informer, an *Error, or nil if there was
// none. It stays after the informer has recovered; a *reflector.Error within tells
// when it was.
func (i *Informer[T]) LastError() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lastError
}
