// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// followParts keeps the informer's sources equal to the parts of its source until ctx
// ends. It has no timer: the reflector of a part retries, and followParts continues when the
// part has synced.
func (i *Informer[T]) followParts(ctx context.Context) {
	var waiting []chan struct{}
	for ctx.Err() == nil {
		i.mu.Lock()
		waiting = append(waiting, i.aligning...)
		i.aligning = nil
		i.mu.Unlock()
		parts := i.multi.Sources()
		i.adopt(ctx, parts)
		late := i.late(parts)
		if late == nil {
			i.dropParts(ctx, parts)
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

// align waits until the informer's sources are the parts of its source and have synced.
// If ctx ends first, align returns the errors of the parts that have not synced; followParts
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
	parts := i.multi.Sources()
	for _, s := range i.Sources() {
		if _, wanted := parts[s.name]; wanted && !s.HasSynced() {
			errs = append(errs, s.waitError(why))
		}
	}
	if errs == nil {
		return i.name(why)
	}
	return errors.Join(errs...)
}

// adopt adds a source for each part that has none. Unless the new parts take over from the old
// ones, it removes the old ones first.
func (i *Informer[T]) adopt(ctx context.Context, parts map[string]source.ListerWatcher[T]) {
	i.joinParts(parts) // before a part leaves
	if !i.multi.Handover() {
		i.dropParts(ctx, parts)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if i.Source(name) != nil {
			continue
		}
		s, err := i.addSource(name, parts[name], true)
		if err != nil {
			i.tell(err)
			continue
		}
		i.startSource(s)
	}
}

// joinParts makes WaitFor of the store wait for all parts.
func (i *Informer[T]) joinParts(parts map[string]source.ListerWatcher[T]) {
	names := make([]string, 0, len(parts))
	for name := range parts {
		if s := i.Source(name); s == nil || s.part {
			names = append(names, name)
		}
	}
	i.feeder.Join(names...)
}

// late returns a part that has not synced, or nil.
func (i *Informer[T]) late(parts map[string]source.ListerWatcher[T]) *Source[T] {
	for name := range parts {
		if s := i.Source(name); s != nil && !s.HasSynced() {
			return s
		}
	}
	return nil
}

// dropParts removes the sources that are no longer parts, until ctx ends.
func (i *Informer[T]) dropParts(ctx context.Context, parts map[string]source.ListerWatcher[T]) {
	for _, s := range i.Sources() {
		if _, wanted := parts[s.name]; !wanted && s.part {
			_ = i.remove(ctx, s)
		}
	}
}
