// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// Registration is a handler that was added to an informer. Its methods are safe for
// concurrent use and may be called by the handler itself.
type Registration struct {
	listener interface { // a *hub.Listener[T] of any T
		Remove() (ended <-chan struct{})
		Synced() <-chan struct{}
		Stats() HandlerStats
	}
	wait func(context.Context) error
}

// Remove removes the handler: no call begins after Remove has returned, and pending changes are
// dropped. A call that has begun may still be running. Remove does not block and may be called
// more than once.
func (r *Registration) Remove() { r.listener.Remove() }

// RemoveWait removes the handler and waits until its last call has returned. It returns the
// cause of ctx if ctx ends first. A handler that calls RemoveWait for itself waits for its own
// call, until ctx ends; use Remove there.
func (r *Registration) RemoveWait(ctx context.Context) error {
	return ctxsync.AwaitClosed(ctx, r.listener.Remove())
}

// Synced is closed when the handler has returned from the calls for the initial list. The
// initial list holds the objects that were in the store when the handler was added. It lacks a batch
// that was being written then. If the informer had not synced, it holds the objects of the first list.
// Synced stays open if the handler is removed first.
func (r *Registration) Synced() <-chan struct{} { return r.listener.Synced() }

// HasSynced reports whether Synced is closed.
func (r *Registration) HasSynced() bool { return ctxsync.IsClosed(r.Synced()) }

// WaitForSync waits until Synced is closed. It returns an error if ctx ends first, the
// handler is removed, or a run of the informer ends, and at once if the informer has no source.
// The error describes the informer if that has not synced, and the handler otherwise. A handler
// that calls WaitForSync for itself waits for its own call, until ctx ends.
func (r *Registration) WaitForSync(ctx context.Context) error { return r.wait(ctx) }

// Stats returns statistics of the handler. It is cheap, and may be called after the handler was
// removed.
func (r *Registration) Stats() HandlerStats { return r.listener.Stats() }

// defaultBuffer is the number of pending changes at which the informer waits for a handler.
const defaultBuffer = 1024

// HandlerOption configures one handler.
type HandlerOption func(*hub.Settings)

// WithHandlerName names the handler in errors, statistics and logs.
func WithHandlerName(name string) HandlerOption { return func(o *hub.Settings) { o.Name = name } }

// WithBuffer sets how many changes may be pending for the handler; 0 means 1024. If more
// are pending, the informer waits, and with it the store and all other handlers. The last batch
// may exceed n. The changes of one list do not count, because the number of objects bounds them.
func WithBuffer(n int) HandlerOption { return func(o *hub.Settings) { o.Buffer = n } }

// WithCoalescing merges the changes of each object that come while the handler is busy. The handler never delays
// others. What is pending is bounded by the size of the store: a snapshot of what the handler knows, and one of
// what it will know. The package documentation says what the handler is notified of.
func WithCoalescing() HandlerOption { return func(o *hub.Settings) { o.Coalesce = true } }

// WithResync notifies the handler of every object again each period, as an update with the same
// object twice. It is a replay from the store and sends no request. Use it for handlers that
// depend on other state. A resync starts only when the last one has been delivered.
func WithResync(period time.Duration) HandlerOption {
	return func(o *hub.Settings) { o.Resync = period }
}
