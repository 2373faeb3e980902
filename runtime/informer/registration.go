// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"
)

// ErrRemoved ends the wait for a handler to be told the initial list that was removed.
var ErrRemoved = errors.New("the handler was removed")

// Registration is a handler that was added to an informer. Its methods are safe for
// concurrent use, and in the handler's own calls except where they say otherwise.
type Registration struct {
	drop      func() <-chan struct{}
	removed   <-chan struct{}
	synced    <-chan struct{}
	ended     func() <-chan struct{} // closed when the informer has stopped
	syncError func(why error) error  // of a wait for Synced
	own       func() bool            // the caller is in a call of the handler
	stats     func() HandlerStats
}

// AddHandler has h be called for everything that the store holds, as additions of the
// initial list, and then for every change, until the registration is removed. It does
// not block, and may be called at any time, by a handler too; what exists is taken at
// once, or when the batch that is just being applied is in the store. h is called
// only while the informer runs. A handler that is added twice is called twice.
func (i *Informer[T]) AddHandler(h Handler[T], opts ...HandlerOption) *Registration {
	if h == nil {
		panic("informer: AddHandler(nil)") //nolint:forbidigo // a mistake in the program, not in its input
	}
	l := newListener(i, h, handlerOptionsOf(opts))
	i.enlist(l)
	return &Registration{
		drop: func() <-chan struct{} { return i.drop(l) }, removed: l.removed, synced: l.synced, ended: i.ended,
		syncError: func(why error) error { return i.handlerSyncError(l, why) }, own: l.calls.isCurrent, stats: l.stats,
	}
}

// enlist has l be given what exists, and then every change.
func (i *Informer[T]) enlist(l *listener[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.applying {
		i.joining = append(i.joining, l)
		return
	}
	i.clock.tick()
	i.admit(l)
}

// drop removes l and returns a channel that is closed when its last call has returned.
func (i *Informer[T]) drop(l *listener[T]) <-chan struct{} {
	i.mu.Lock()
	if i.running != nil && l.handler != nil && slices.Contains(i.listeners, l) {
		i.removed = append(i.removed, l)
	}
	without := func(ls []*listener[T]) []*listener[T] {
		if at := slices.Index(ls, l); at >= 0 {
			return slices.Delete(slices.Clone(ls), at, at+1)
		}
		return ls
	}
	i.listeners, i.joining, i.resyncing = without(i.listeners), without(i.joining), without(i.resyncing)
	i.mu.Unlock()
	over := l.remove()
	if isClosed(over) { // its goroutine has ended, and will not do it
		i.forget(l)
	}
	return over
}

// forget notes that no call of l, which was removed, is going on any more.
func (i *Informer[T]) forget(l *listener[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.removed = slices.DeleteFunc(i.removed, func(other *listener[T]) bool { return other == l })
}

// Remove has no call of the handler begin once it has returned; one may still be
// going on, be it only just begun. What was waiting for the handler is dropped. It does not block and may be
// called more than once.
func (r *Registration) Remove() { r.drop() }

// RemoveWait is Remove, and waits until no call of the handler is going on, or ctx
// ends, whose cause it returns then. In a call of the handler itself it would wait for
// itself: there it removes the handler and returns ErrOwnCall at once. (If the call
// waits for another goroutine that calls RemoveWait, nobody can tell, and it waits for
// ctx.)
func (r *Registration) RemoveWait(ctx context.Context) error {
	over := r.drop()
	if r.own() {
		return ErrOwnCall
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Synced is closed when the handler has returned from its calls for all that existed
// when it was added or, if the informer had not synced by then, for the first list.
// It stays open if the handler is removed before that.
func (r *Registration) Synced() <-chan struct{} { return r.synced }

// HasSynced reports whether Synced is closed.
func (r *Registration) HasSynced() bool {
	select {
	case <-r.synced:
		return true
	default:
		return false
	}
}

// WaitForSync waits for Synced. It fails with a *SyncError, which is about the informer if
// that has not synced and else about the handler, when ctx ends first, when the handler is
// removed first, when a run of the informer ends first, and at once if the informer cannot
// run or, with ErrOwnCall, in a call of the handler itself.
func (r *Registration) WaitForSync(ctx context.Context) error {
	ended := r.ended()
	var why error
	switch {
	case r.HasSynced():
		return nil
	case ended == nil:
		return r.syncError(ErrNoSource)
	case r.own():
		return r.syncError(ErrOwnCall)
	}
	select {
	case <-r.synced:
		return nil
	case <-r.removed:
		why = ErrRemoved
	case <-ended:
		why = ErrStopped
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	if r.HasSynced() { // all at once: rather this
		return nil
	}
	return r.syncError(why)
}
