// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "context"

// Synced is closed once the first list is in the store.
func (i *Informer[T]) Synced() <-chan struct{} { return i.synced }

// HasSynced reports whether Synced is closed.
func (i *Informer[T]) HasSynced() bool {
	select {
	case <-i.synced:
		return true
	default:
		return false
	}
}

// ended returns a channel that is closed when the informer's run has ended, or its next
// one if it is not running and has not been run; nil if it cannot run.
func (i *Informer[T]) ended() <-chan struct{} {
	if i.src == nil {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.stopped
}

// WaitForSync waits until the first list is in the store. It fails, with a *SyncError
// that names the resource and wraps LastError, when ctx ends first, when a run of the
// informer ends first, and at once if the informer cannot run.
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
	last := i.LastError()
	if why == ErrNoSource { //nolint:errorlint // set above
		last = why // it may not have been told yet
	}
	return &SyncError{Resource: i.resource, Name: i.opts.name, Err: why, Last: last}
}
