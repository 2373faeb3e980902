// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
)

// run is one call of Run, from begin to end. It owns the goroutines that the call starts.
type run struct {
	ctx                context.Context
	goroutines         waitgroup.Group
	removeErrorHandler func() // ends the reports of the store
}

// Run reads the source, fills the store and calls the handlers until ctx ends. It then returns
// nil. All goroutines of the informer have ended by then, and no handler is being called. If ctx
// reaches its deadline before the informer has synced, Run reports that to the error handler. Run
// returns an error at once if the informer has no source or is running.
//
// An informer can be run again after Run has returned. Changes that a handler was not notified
// of stay pending until then, or are lost if the informer never runs again. The next run starts
// with a list; handlers are notified of the differences from the store.
func (i *Informer[T]) Run(ctx context.Context) error {
	if !i.src.Exists() {
		return i.wrapAndReport(nil, ErrNoSource)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	i.clearNotRunningError()
	r := &run{ctx: ctx}
	if err := i.startUnlessRunning(r); err != nil {
		return err
	}
	if i.src.Parts() != nil {
		defer i.src.Parts().Follow(i.rereadSourcesAndAwaitSync)()
		i.invalidateSources()
		sources, _ := i.currentSources()
		i.reconcileParts(ctx, sources)
	}
	if i.hub.Begin(ctx) == nil {
		i.startMissingFeeds(r)
		i.hub.Deliver(hub.Delivery[T]{Last: i.resetPartsForRun()}) // nothing may be missing
	}
	if i.src.Parts() != nil {
		r.goroutines.Go(func() { i.followParts(r) })
	}
	<-ctx.Done()
	i.reportDeadlineBeforeSync(ctx)
	i.awaitAndFinishRun(r)
	return nil
}

// startUnlessRunning makes r the current run.
func (i *Informer[T]) startUnlessRunning(r *run) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return i.wrapError(ErrRunning)
	}
	i.running, i.unreadPartsAtRunStart = r, nil
	i.wholeSourceFeeder.Halt(nil)
	r.removeErrorHandler = i.wholeSourceFeeder.AddErrorHandler(func(err error) bool {
		_ = i.wrapAndReport(nil, err)
		return i.opts.errorHandler != nil
	})
	if ctxsync.IsClosed(i.runEnded) {
		i.runEnded = make(chan struct{})
	}
	i.hub.Start(r.ctx, &r.goroutines)
	return nil
}

// awaitAndFinishRun waits for all goroutines of r, whose context has ended.
func (i *Informer[T]) awaitAndFinishRun(r *run) {
	i.hub.Stop()
	r.goroutines.Wait()
	r.removeErrorHandler()
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		p.feed = nil
	}
	i.running = nil
	close(i.runEnded)
}

// reportDeadlineBeforeSync reports a run whose context reached its deadline before the informer had
// synced. LastError stays the error of the source, which this error includes.
func (i *Informer[T]) reportDeadlineBeforeSync(ctx context.Context) {
	if i.HasSynced() || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	err := fmt.Errorf("%w: %w", errDeadlineBeforeSync, i.newWaitError(context.Cause(ctx)))
	i.notify(i.log, i.wrapError(err))
}

// clearNotRunningError clears the last error if it says that the informer was not running. A factory calls it before it
// calls Run on another goroutine.
func (i *Informer[T]) clearNotRunningError() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if errors.Is(i.lastError, ErrNotStarted) || errors.Is(i.lastError, ErrStopped) {
		i.lastError = nil
	}
}

// endWaitsIfNotRunning ends the waits for the informer and its store. A factory calls it if it will not run
// the informer again. The informer may still be run without the factory.
func (i *Informer[T]) endWaitsIfNotRunning() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil {
		return
	}
	i.wholeSourceFeeder.Halt(i.wrapError(ErrStopped))
	if errors.Is(i.lastError, ErrNotStarted) {
		i.lastError = i.wrapError(ErrStopped)
	}
	if !ctxsync.IsClosed(i.runEnded) {
		close(i.runEnded)
	}
}
