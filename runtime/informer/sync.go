// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"slices"
)

// Synced is closed once the first list is in the store; of several sources, that of
// each that the informer had when it was run.
func (i *Informer[T]) Synced() <-chan struct{} { return i.synced }

// HasSynced reports whether Synced is closed.
func (i *Informer[T]) HasSynced() bool { return isClosed(i.synced) }

// lists returns s if it has just been listed, for the first time.
func (s *Stream[T]) lists(listed bool) *Stream[T] {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	if !listed || s.hasSynced {
		return nil
	}
	return s
}

// completes notes that first has synced and, if all sources have that are awaited, that
// the informer has; it reports whether it has just done so. The lock must be held.
func (i *Informer[T]) completes(first *Stream[T]) bool {
	if i.hasSynced || i.running == nil || !i.running.launched {
		return false
	}
	i.awaited = slices.DeleteFunc(i.awaited, func(s *Stream[T]) bool {
		return s == first || s.hasSynced || !slices.Contains(i.streams, s)
	})
	if len(i.awaited) > 0 {
		return false
	}
	i.hasSynced = true
	close(i.synced)
	return true
}

// ended returns a channel that is closed when the informer's run has ended, or its next
// one if it is not running and has not been run; nil if it cannot run.
func (i *Informer[T]) ended() <-chan struct{} {
	if !i.canRun() {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stopped
}

// WaitForSync waits until the first list is in the store. It fails, with a *SyncError
// that names the resource, wraps LastError, and names each source of several that is
// missing, when ctx ends first, when a run of the informer ends first, and at once if
// the informer cannot run.
func (i *Informer[T]) WaitForSync(ctx context.Context) error {
	ended := i.ended()
	var why error
	switch {
	case i.HasSynced():
		return nil
	case ended == nil:
		why = ErrNoSource
	default:
		select {
		case <-i.synced:
			return nil
		case <-ended:
			why = ErrStopped
		case <-ctx.Done():
			why = context.Cause(ctx)
		}
		if i.HasSynced() { // all at once: rather this
			return nil
		}
	}
	return i.syncError(why)
}

// handlerSyncError says why a wait has ended for a handler to have been told the initial list:
// by the informer, if that has not synced, and else by the handler, whatever error the informer
// has had.
func (i *Informer[T]) handlerSyncError(l *listener[T], why error) error {
	e := i.syncError(why)
	if e.Progress.Synced {
		stats := l.stats()
		e.Handler, e.Stats, e.Last, e.Blocked = l.name(), &stats, nil, nil
	}
	return e
}

// syncError says why a wait for the informer, or for a handler of it, has ended.
func (i *Informer[T]) syncError(why error) *SyncError {
	e := &SyncError{
		Resource: i.resource, Name: i.opts.name, Err: why, Last: i.LastError(), Progress: i.Progress(), Blocked: i.blocked(),
	}
	if errors.Is(why, ErrNoSource) {
		e.Last = why // it may not have been told yet
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.awaited {
		if i.several && !s.hasSynced {
			stalled := i.insight.stalled(s.name)
			e.Missing = append(e.Missing, SourceError{Source: s.name, Err: s.lastError, Stalled: stalled})
		}
	}
	return e
}
