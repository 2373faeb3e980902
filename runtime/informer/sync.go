// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// Synced is closed once the first list is in the store. With several sources, it is closed once
// the first list of each source is in the store that the informer had when it was run.
func (i *Informer[T]) Synced() <-chan struct{} { return i.synced }

// HasSynced reports whether Synced is closed.
func (i *Informer[T]) HasSynced() bool { return isClosed(i.synced) }

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
	case isClosed(synced):
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
	if isClosed(synced) { // at the same time
		return nil
	}
	return why
}

// WaitForSync waits until Synced is closed. It returns a *WaitError if ctx or a run of the
// informer ends first, and at once if the informer has no source. The error names the informer,
// its last error, and the sources that have not synced.
func (i *Informer[T]) WaitForSync(ctx context.Context) error {
	why := await(ctx, i.synced, i.ended(), nil, nil)
	if why == nil {
		return nil
	}
	return i.waitError(why)
}

// handlerWaitError describes a wait for a handler's initial list that ended in vain.
func (i *Informer[T]) handlerWaitError(l *listener[T], why error) error {
	e := i.waitError(why)
	if e.Progress.Synced {
		stats := l.stats()
		e.Handler, e.Stats, e.Last, e.Blocked = l.name(), &stats, nil, nil
	}
	return e
}

// explain describes a wait for the informer's store that ended in vain.
func (i *Informer[T]) explain(why error) error {
	if errors.Is(why, store.ErrSourceEnded) {
		return why
	}
	return i.waitError(why)
}

// waitedFor returns err, the result of a wait for the store, with the name of the source that it
// was for.
func (i *Informer[T]) waitedFor(source string, err error) error {
	why := (*WaitError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &why):
		why.Source = source
		return err
	}
	return i.nameOf(source, err)
}

// waitError describes a wait for the informer that ended in vain.
func (i *Informer[T]) waitError(why error) *WaitError {
	e := &WaitError{
		Resource: i.resource, Name: i.opts.name, Err: why,
		Last: i.LastError(), Progress: i.Progress(), Blocked: i.blocked(),
	}
	if errors.Is(why, ErrNoSource) {
		e.Last = why // Run may not have reported it yet
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.awaited {
		if i.several && !s.hasSynced {
			e.Missing = append(e.Missing, SourceError{Source: s.name, Err: s.lastError})
		}
	}
	return e
}
