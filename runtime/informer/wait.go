// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/hub"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// WaitForSync waits until Synced is closed. It returns an error if ctx or a run of the informer ends
// first, and at once if the informer has no source. The error names the informer and the sources that
// have not synced, and wraps the cause of ctx, ErrStopped or ErrNoSource, and the last errors.
func (i *Informer[T]) WaitForSync(ctx context.Context) error {
	why := await(ctx, i.synced, i.ended(), nil, nil)
	if why == nil {
		return nil
	}
	return i.waitError(why)
}

// waitForHandler waits until a handler has returned from its initial list.
func (i *Informer[T]) waitForHandler(ctx context.Context, l *hub.Listener[T]) error {
	why := await(ctx, l.Synced(), i.ended(), l.Removed(), ErrRemoved)
	if why == nil {
		return nil
	}
	e := i.waitError(why)
	if e.synced {
		stats := l.Stats()
		e.handler, e.call = l.Label(), health.Call(stats.Calling, stats.Pending)
		e.last, e.blocked = nil, ""
	}
	return e
}

// WaitFor waits until the store has reached resourceVersion of the source; see
// store.Reader.WaitFor. It returns store.ErrSourceEnded if the source is or has been removed, and
// ErrStopped if the informer's factory stops the informer.
func (s *Source[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if s.life.Err() != nil && resourceVersion != "" {
		return store.ErrSourceEnded // another source may have the name now
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.life, func() { cancel(store.ErrSourceEnded) })()
	return s.informer.waitedFor(s.name, s.informer.store.Reader().WaitForSource(ctx, s.name, resourceVersion))
}

// WaitForSync waits until the first list of the source is in the store. It returns an error that names
// the source if ctx or a run of the informer ends first, or the source is removed.
func (s *Source[T]) WaitForSync(ctx context.Context) error {
	why := await(ctx, s.synced, s.informer.ended(), s.life.Done(), store.ErrSourceEnded)
	if why == nil {
		return nil
	}
	return s.waitError(why)
}

// waitError describes a wait for the source that ended in vain.
func (s *Source[T]) waitError(why error) error {
	i := s.informer
	i.mu.Lock()
	defer i.mu.Unlock()
	return &waitError{resource: i.resource, name: i.opts.name, source: s.name, err: why, last: s.lastError}
}

// WaitFor waits until the store has reached resourceVersion of every source of the informer. The
// sources must be of one server, like namespaces and shards. WaitFor stops waiting for a source
// that is removed, and also waits for namespaces and shards that are added. With one source it
// is WaitFor of the store.
//
// WaitFor returns the errors of store.Reader.WaitFor, ErrStopped if the informer's factory stops
// the informer, and ErrNoSource at once if the informer has no source. Use a ctx that ends: a
// source that cannot be read never reaches the version.
func (i *Informer[T]) WaitFor(ctx context.Context, resourceVersion string) error {
	if !i.hasSource() {
		return i.name(ErrNoSource)
	}
	reached := 0
	for _, s := range i.Sources() {
		switch err := s.WaitFor(ctx, resourceVersion); {
		case err == nil:
			reached++
		case !errors.Is(err, store.ErrSourceEnded):
			return err
		}
	}
	switch {
	case i.multi != nil:
	case reached > 0:
		return nil
	default: // the last source has been removed
		return i.name(ErrNoSource)
	}
	// Sources may have been added since.
	return i.waitedFor("", i.store.Reader().WaitForJoined(ctx, resourceVersion))
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
	why := (*waitError)(nil)
	switch {
	case err == nil:
		return nil
	case errors.As(err, &why):
		why.source = source
		return err
	}
	return i.nameOf(source, err)
}

// waitError describes a wait for the informer that ended in vain.
func (i *Informer[T]) waitError(why error) *waitError {
	e := &waitError{
		resource: i.resource, name: i.opts.name, err: why,
		last: i.LastError(), synced: i.HasSynced(), blocked: i.blocked(),
	}
	if errors.Is(why, ErrNoSource) {
		e.last = why // Run may not have reported it yet
	}
	var lists []reflector.Progress
	for _, s := range i.Sources() {
		if f := s.reading(); f != nil {
			lists = append(lists, f.Reflector().Progress())
		}
	}
	e.progress = health.Progress(lists, e.last != nil)
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, s := range i.awaited {
		if i.several.Load() && !s.hasSynced {
			if e.missing == nil {
				e.missing = make(map[string]error)
			}
			e.missing[s.name] = s.lastError
		}
	}
	return e
}
