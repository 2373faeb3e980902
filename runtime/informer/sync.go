// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
)

// Synced is closed once the first list is in the store. With several sources, it is closed once
// the first list of each source is in the store that the informer had when it was run.
func (i *Informer[T]) Synced() <-chan struct{} { return i.synced }

// HasSynced reports whether Synced is closed.
func (i *Informer[T]) HasSynced() bool { return ctxsync.IsClosed(i.synced) }

// completes marks the informer as synced if no source is awaited anymore. It reports whether the
// informer has synced by this call. It requires i.mu.
func (i *Informer[T]) completes() bool {
	if i.hasSynced || i.running == nil || !i.running.launched {
		return false
	}
	i.awaited = slices.DeleteFunc(i.awaited, func(s *Source[T]) bool {
		return s.hasSynced || !slices.Contains(i.sources, s)
	})
	if len(i.awaited) > 0 {
		return false
	}
	i.hasSynced = true
	close(i.synced)
	return true
}

// ended returns a channel that is closed when the current run ends. If the informer is not
// running, that is the last run, or the next if there was none. It returns nil if the informer
// has no source.
func (i *Informer[T]) ended() <-chan struct{} {
	if !i.hasSource() {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stopped
}

// await waits until synced is closed and returns nil. It returns ErrStopped or errGone if stopped
// or gone is closed first, ErrNoSource if stopped is nil, and the cause of ctx if that ends first.
func await(ctx context.Context, synced, stopped, gone <-chan struct{}, errGone error) (why error) {
	switch {
	case ctxsync.IsClosed(synced):
		return nil
	case stopped == nil:
		return ErrNoSource
	}
	select {
	case <-synced:
		return nil
	case <-stopped:
		why = ErrStopped
	case <-gone:
		why = errGone
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	if ctxsync.IsClosed(synced) { // at the same time
		return nil
	}
	return why
}
