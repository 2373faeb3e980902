// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// New returns an informer that mirrors src in s while it runs. Only the informer should write to
// s. If src is nil, the informer needs a source before it can run; see AddSource. If src
// implements source.Multi, the informer reads its Sources.
func New[T metav1.Object](
	gvr schema.GroupVersionResource, src source.ListerWatcher[T],
	s *store.Store[types.NamespacedName, T], opts ...Option,
) *Informer[T] {
	i := &Informer[T]{
		resource: gvr, store: s, changed: ctxsync.NewSignal(),
		synced: make(chan struct{}), stopped: make(chan struct{}), indexErrors: make(map[string]int64),
	}
	for _, opt := range opts {
		opt(&i.opts)
	}
	i.log = health.NewLog(i.opts.logger, health.Informer(gvr, "", ""), i.opts.name)
	if multi, ok := src.(source.Multi[T]); ok {
		i.multi = multi
		i.several.Store(true)
	} else if src != nil {
		i.sources = []*Source[T]{newSource(i, "", src)}
	}
	i.invalid = validate[T](&i.opts)
	i.lastError = i.name(cmp.Or(i.invalid, ErrNotStarted))
	i.feeder = store.NewFeeder(s, i.explain)
	hubConfig := hub.Config[T]{Objects: s.Reader, Log: i.log}
	if i.opts.errorHandler != nil {
		hubConfig.OnPanic = func(handler string, v any, stack []byte) {
			i.tell(&PanicError{Handler: handler, Value: v, Stack: stack})
		}
	}
	i.hub = hub.New(hubConfig)
	return i
}

// Run reads the source, fills the store and calls the handlers until ctx ends. It then returns
// nil. All goroutines of the informer have ended by then, and no handler is being called. If ctx
// reaches its deadline before the informer has synced, Run reports that to the error handler. Run
// returns an error at once if the informer has no source or is running, or if a transform is of a
// wrong type.
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
		r.done.Go(func() { i.followMulti(ctx) })
	}
	i.launch(r)
	<-ctx.Done()
	stop()
	i.reportShortLived(ctx)
	i.end(r)
	return nil
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
	if ctxsync.IsClosed(i.stopped) {
		i.stopped = make(chan struct{})
	}
	i.hub.Start(r.ctx, &r.done)
	return nil
}

// launch starts reading the sources. The informer has synced when its current sources have.
func (i *Informer[T]) launch(r *run) {
	for _, s := range i.Sources() {
		s.loadPosition()
	}
	i.mu.Lock()
	i.awaited = nil
	for _, s := range i.sources {
		if !s.hasSynced && !s.leaving {
			i.awaited = append(i.awaited, s)
		}
		s.start(r)
	}
	r.launched = true
	i.mu.Unlock()
	_ = i.hub.Apply(r.ctx, func(d *inbox.Delivery[T]) { // nothing may be awaited
		i.mu.Lock()
		defer i.mu.Unlock()
		d.Initial, d.Last = true, i.completes()
	})
}

// end waits for all goroutines of r, whose context has ended.
func (i *Informer[T]) end(r *run) {
	i.mu.Lock()
	i.ending = true
	i.mu.Unlock()
	i.hub.Stop()
	r.done.Wait()
	r.unhook()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.running, i.ending = nil, false
	close(i.stopped)
}

// reportShortLived reports a run whose context reached its deadline before the informer had
// synced. LastError stays the error of the source, which this error includes.
func (i *Informer[T]) reportShortLived(ctx context.Context) {
	if i.HasSynced() || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	err := fmt.Errorf("%w: %w", errShortLived, i.waitError(context.Cause(ctx)))
	i.notify(i.log, i.name(err))
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
	if !ctxsync.IsClosed(i.stopped) {
		close(i.stopped)
	}
}
