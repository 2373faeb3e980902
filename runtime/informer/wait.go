// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Synced is closed once the first list is in the store. If the source has parts, it is
// closed once the first list of each part is in the store that the source had when the informer was run.
func (i *Informer[T]) Synced() <-chan struct{} { return i.synced }

// HasSynced reports whether Synced is closed.
func (i *Informer[T]) HasSynced() bool { return ctxsync.IsClosed(i.synced) }

// await waits until done is closed and returns nil. It returns ErrStopped or ErrRemoved if the current run ends or
// removed is closed first, ErrNoSource if the informer has no source, and the cause of ctx if that ends first. If the
// informer is not running, the run is the last, or the next if there was none.
func (i *Informer[T]) await(ctx context.Context, done, removed <-chan struct{}) (why error) {
	i.mu.Lock()
	stopped := i.runEnded
	i.mu.Unlock()
	switch {
	case ctxsync.IsClosed(done):
		return nil
	case !i.src.Exists():
		return ErrNoSource
	}
	select {
	case <-done:
		return nil
	case <-stopped:
		why = ErrStopped
	case <-removed:
		why = ErrRemoved
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	if ctxsync.IsClosed(done) { // at the same time
		return nil
	}
	return why
}

// WaitForSync waits until Synced is closed. It returns an error if ctx or a run of the informer ends
// first, and at once if the informer has no source. The error names the informer and the parts of the
// source that have not synced, and wraps the cause of ctx, ErrStopped or ErrNoSource, and the last errors.
func (i *Informer[T]) WaitForSync(ctx context.Context) error {
	if why := i.await(ctx, i.synced, nil); why != nil {
		return i.newWaitError(why)
	}
	return nil
}

// WaitForPart waits until the first list of a part of the source is in the store, such as that of a namespace. Reads of
// that part need not wait for the others. WaitForPart returns an error if ctx or a run of the informer ends first. The
// error names the part, and wraps the last error of the part. A part that the source does not have never syncs.
func (i *Informer[T]) WaitForPart(ctx context.Context, name string) error {
	for {
		state, _, changed := i.partStatus(name)
		if state != partUnread {
			return nil
		}
		if why := i.await(ctx, changed, nil); why != nil {
			return i.newPartWaitError(name, why)
		}
	}
}

// partStatus returns the state of a part and its last error, and a channel that is closed when parts have changed.
func (i *Informer[T]) partStatus(name string) (state partState, lastError error, anyPartChanged <-chan struct{}) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, p := range i.parts {
		if p.name == name {
			state, lastError = p.state, p.lastError
		}
	}
	return state, lastError, i.partsChanged
}

// newPartWaitError describes a wait for a part to sync that ended in vain.
func (i *Informer[T]) newPartWaitError(name string, why error) error {
	_, last, _ := i.partStatus(name)
	return &waitError{resource: i.resource, informerName: i.opts.name, partName: name, err: why, lastError: last}
}

// waitForHandler waits until a handler has returned from its initial list.
func (i *Informer[T]) waitForHandler(ctx context.Context, l *hub.Listener[T]) error {
	why := i.await(ctx, l.Synced(), l.Removed())
	if why == nil {
		return nil
	}
	e := i.newWaitError(why)
	if e.synced {
		stats := l.Stats()
		e.handlerLabelIfSynced, e.handlerCallState = l.Label(), health.Call(stats.Calling, stats.Pending)
		e.lastError, e.blockingHandlerState = nil, ""
	}
	return e
}

// WaitFor waits until the store has reached resourceVersion; see store.Reader.WaitFor. It also returns
// ErrStopped if the informer's factory stops the informer, and ErrNoSource at once if the informer has no
// source. Use a ctx that ends: a source that cannot be read never reaches the version.
func (i *Informer[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if !i.src.Exists() {
		return i.wrapError(ErrNoSource)
	}
	err := i.store.Reader().WaitFor(ctx, resourceVersion)
	if why := (*waitError)(nil); err == nil || errors.As(err, &why) {
		return err
	}
	return i.wrapError(err)
}

// newWaitError describes a wait for the informer that ended in vain.
func (i *Informer[T]) newWaitError(why error) *waitError {
	e := &waitError{
		resource: i.resource, informerName: i.opts.name, err: why,
		lastError: i.LastError(), synced: i.HasSynced(), blockingHandlerState: i.blockingHandlerState(),
	}
	if errors.Is(why, ErrNoSource) {
		e.lastError = why // Run may not have reported it yet
	}
	var lists []reflector.Progress
	for _, f := range i.feeds() {
		lists = append(lists, f.reflector.Stats().Progress)
	}
	e.progress = health.Progress(lists, e.lastError != nil)
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.src.Parts() != nil {
		e.unsyncedPartErrors = make(map[string]error)
		for _, p := range i.unreadPartsAtRunStart {
			e.unsyncedPartErrors[p.name] = p.lastError
		}
	}
	return e
}

// waitError is returned by waits for an informer, part or handler to sync, and for a store to
// reach a version, that end in vain.
type waitError struct {
	resource             schema.GroupVersionResource
	informerName         string // of the informer, if it has one
	partName             string // of the part, if the wait was for one
	err                  error  // why the wait ended, usually the cause of its context
	lastError            error  // the last error of the informer or part, or nil
	synced               bool
	progress             string           // of the lists; "" if no source is read
	unsyncedPartErrors   map[string]error // the last errors of parts that have not synced, if there are parts
	blockingHandlerState string           // the handler that blocks the informer, and its call; "" if none does
	handlerLabelIfSynced string           // set if the wait was for a handler and the informer has synced: its label
	handlerCallState     string           // describes the call of handler
}

// Error names the informer or the handler, says why the wait ended, and describes the state that
// the wait ended in.
func (e *waitError) Error() string {
	text := "informer of " + health.Informer(e.resource, e.informerName, e.partName)
	if e.handlerLabelIfSynced != "" {
		text = "handler " + e.handlerLabelIfSynced + " of " + text + ", which has synced, has not returned from the initial list: " +
			e.err.Error()
		if e.handlerCallState != "" && !errors.Is(e.err, ErrRemoved) {
			text += "; " + e.handlerCallState
		}
		return text
	}
	if !e.synced {
		text += " has not synced"
	}
	text += ": " + e.err.Error()
	if !e.synced && e.progress != "" {
		text += "; " + e.progress
	}
	if e.blockingHandlerState != "" {
		text += "; " + e.blockingHandlerState
	}
	for _, source := range slices.Sorted(maps.Keys(e.unsyncedPartErrors)) {
		text += "; " + health.Source(source) + ": " + health.LastError(unwrapInformerError(e.unsyncedPartErrors[source]), "")
	}
	source, last := "", unwrapInformerError(e.lastError)
	if own := (*Error)(nil); e.partName == "" && errors.As(e.lastError, &own) {
		source = own.Source
	}
	if len(e.unsyncedPartErrors) > 0 || last == nil && e.blockingHandlerState != "" || last != nil && errors.Is(e.err, last) {
		return text // which has the last error already
	}
	return text + "; " + health.LastError(last, source)
}

// Unwrap returns why the wait ended, the last error, and the errors of missing parts.
func (e *waitError) Unwrap() []error {
	errs := []error{e.err, e.lastError}
	for _, source := range slices.Sorted(maps.Keys(e.unsyncedPartErrors)) {
		errs = append(errs, e.unsyncedPartErrors[source])
	}
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}
