// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"
)

// ErrRemoved is returned by WaitForSync of a handler that is removed before it has synced.
var ErrRemoved = errors.New("the handler was removed")

// Registration is a handler that was added to an informer. Its methods are safe for
// concurrent use and may be called by the handler itself.
type Registration struct{ r registered }

// registered is a *listener[T] of any T.
type registered interface {
	drop() (ended <-chan struct{})
	waitForSync(ctx context.Context) error
	isSynced() <-chan struct{}
	stats() HandlerStats
}

// AddEventHandler adds h to the informer. h is notified of every object in the store, as additions
// of the initial list, and then of every change, until the registration is removed.
//
// AddEventHandler does not block and may be called at any time, also by a handler. h is called only
// while the informer runs. A handler that is added twice is called twice. AddEventHandler panics if
// h is nil.
func (i *Informer[T]) AddEventHandler(h Handler[T], opts ...HandlerOption) *Registration {
	if h == nil {
		panic("informer: AddEventHandler(nil)") //nolint:forbidigo // a bug of the caller
	}
	l := newListener(i, h, handlerOptionsOf(opts))
	i.enlist(l)
	return &Registration{l}
}

// enlist notifies l of the objects in the store, and then of every change.
func (i *Informer[T]) enlist(l *listener[T]) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.applying {
		i.joining = append(i.joining, l)
		return
	}
	i.clock.Tick()
	i.admit(l)
}

// drop removes l from its informer. It returns a channel that is closed when the last call has
// returned.
func (l *listener[T]) drop() (ended <-chan struct{}) {
	i := l.informer
	i.mu.Lock()
	defer i.mu.Unlock()
	i.listeners = without(i.listeners, l)
	i.joining, i.resyncing = without(i.joining, l), without(i.resyncing, l)
	return l.remove()
}

// without returns a slice of the elements of all but gone. It does not change all.
func without[E comparable](all []E, gone E) []E {
	return slices.DeleteFunc(slices.Clone(all), func(e E) bool { return e == gone })
}

// Remove removes the handler: no call begins after Remove has returned, and pending changes are
// dropped. A call that has begun may still be running. Remove does not block and may be called
// more than once.
func (r *Registration) Remove() { r.r.drop() }

// RemoveWait removes the handler and waits until its last call has returned. It returns the
// cause of ctx if ctx ends first. A handler that calls RemoveWait for itself waits for its own
// call, until ctx ends; use Remove there.
func (r *Registration) RemoveWait(ctx context.Context) error {
	select {
	case <-r.r.drop():
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Synced is closed when the handler has returned from the calls for the initial list. The
// initial list holds the objects that were in the store when the handler was added or, if the
// informer had not synced, the objects of the first list. Synced stays open if the handler is
// removed first.
func (r *Registration) Synced() <-chan struct{} { return r.r.isSynced() }

// HasSynced reports whether Synced is closed.
func (r *Registration) HasSynced() bool { return isClosed(r.Synced()) }

// WaitForSync waits until Synced is closed. It returns a *WaitError if ctx ends first, the
// handler is removed, or a run of the informer ends, and at once if the informer has no source.
// The error describes the informer if that has not synced, and the handler otherwise. A handler
// that calls WaitForSync for itself waits for its own call, until ctx ends.
func (r *Registration) WaitForSync(ctx context.Context) error { return r.r.waitForSync(ctx) }

// Stats returns statistics of the handler. It is cheap, and may be called after the handler was
// removed.
func (r *Registration) Stats() HandlerStats { return r.r.stats() }

func (l *listener[T]) isSynced() <-chan struct{} { return l.synced }

func (l *listener[T]) waitForSync(ctx context.Context) error {
	why := await(ctx, l.synced, l.informer.ended(), l.removed, ErrRemoved)
	if why == nil {
		return nil
	}
	return l.informer.handlerWaitError(l, why)
}
