// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// followMulti keeps the informer's sources equal to those of multi until ctx ends. It has no timer: the
// reflector of a source retries, and followMulti continues when the source has synced.
func (i *Informer[T]) followMulti(ctx context.Context) {
	var waiting []chan struct{}
	for ctx.Err() == nil {
		i.mu.Lock()
		waiting = append(waiting, i.aligning...)
		i.aligning = nil
		i.mu.Unlock()
		wanted := i.multi.Sources()
		i.adopt(ctx, wanted)
		late := i.late(wanted)
		if late == nil {
			i.dropSources(ctx, wanted)
			for _, aligned := range waiting {
				close(aligned)
			}
			waiting = nil
			late = &Source[T]{life: ctx} // nothing to wait for but a change
		}
		select {
		case <-i.changed:
		case <-late.synced:
		case <-late.life.Done():
		case <-ctx.Done():
		}
	}
}

// align waits until the informer's sources are those of multi and have synced. If ctx ends first, align
// returns the errors of the sources that have not synced; followMulti
// continues.
func (i *Informer[T]) align(ctx context.Context) error {
	aligned := make(chan struct{})
	i.mu.Lock()
	i.aligning = append(i.aligning, aligned)
	i.mu.Unlock()
	i.changed.Raise()
	why := await(ctx, aligned, i.ended(), nil, nil)
	if why == nil {
		return nil
	}
	var errs []error
	wanted := i.multi.Sources()
	for _, s := range i.Sources() {
		if _, ok := wanted[s.name]; ok && !ctxsync.IsClosed(s.synced) {
			errs = append(errs, s.waitError(why))
		}
	}
	if errs == nil {
		return i.name(why)
	}
	return errors.Join(errs...)
}

// adopt adds the sources of multi that are new. Unless they take over from the old ones, it removes the
// old ones first.
func (i *Informer[T]) adopt(ctx context.Context, wanted map[string]source.ListerWatcher[T]) {
	i.joinSources(wanted) // before a source leaves
	if !i.multi.Handover() {
		i.dropSources(ctx, wanted)
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if i.Source(name) != nil {
			continue
		}
		s, err := i.addSource(name, wanted[name], true)
		if err != nil {
			i.tell(err)
			continue
		}
		i.startSource(s)
	}
}

// joinSources makes WaitFor of the store wait for all sources of multi.
func (i *Informer[T]) joinSources(wanted map[string]source.ListerWatcher[T]) {
	names := make([]string, 0, len(wanted))
	for name := range wanted {
		if s := i.Source(name); s == nil || s.ofMulti {
			names = append(names, name)
		}
	}
	i.feeder.Join(names...)
}

// late returns a source of multi that has not synced, or nil.
func (i *Informer[T]) late(wanted map[string]source.ListerWatcher[T]) *Source[T] {
	for name := range wanted {
		if s := i.Source(name); s != nil && !ctxsync.IsClosed(s.synced) {
			return s
		}
	}
	return nil
}

// dropSources removes the sources that are no longer of multi, until ctx ends.
func (i *Informer[T]) dropSources(ctx context.Context, wanted map[string]source.ListerWatcher[T]) {
	for _, s := range i.Sources() {
		if _, ok := wanted[s.name]; !ok && s.ofMulti {
			_ = i.remove(ctx, s)
		}
	}
}
