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

// keepParts makes the informer's sources those of its plural source, again after each change,
// until ctx ends. It retries nothing by a timer: a source that cannot be read yet is retried by
// its reflector, and keepParts goes on when the source has synced.
func (i *Informer[T]) keepParts(ctx context.Context) {
	var waiting []chan struct{}
	for ctx.Err() == nil {
		i.mu.Lock()
		waiting = append(waiting, i.aligning...)
		i.aligning = nil
		i.mu.Unlock()
		parts := i.plural.Parts()
		i.adopt(ctx, parts)
		late := i.late(parts)
		if late == nil {
			i.dropParts(ctx, parts)
			for _, aligned := range waiting {
				close(aligned)
			}
			waiting = nil
			late = &Stream[T]{life: ctx} // which no other event concerns
		}
		select {
		case <-i.changed:
		case <-late.synced:
		case <-late.life.Done():
		case <-ctx.Done():
		}
	}
}

// align has the informer's sources be those of its plural source, and waits until they have
// synced and the others are gone. When ctx ends first, the informer goes on without align.
func (i *Informer[T]) align(ctx context.Context) error {
	ended, aligned := i.ended(), make(chan struct{})
	i.mu.Lock()
	i.aligning = append(i.aligning, aligned)
	i.mu.Unlock()
	i.changed.Raise()
	var why error
	select {
	case <-aligned:
		return nil
	case <-ended:
		why = ErrStopped
	case <-ctx.Done():
		why = context.Cause(ctx)
	}
	var errs []error
	parts := i.plural.Parts()
	for _, s := range i.Streams() {
		if _, wanted := parts[s.name]; wanted && !s.HasSynced() {
			errs = append(errs, s.syncError(why))
		}
	}
	if errs == nil {
		return i.name(why)
	}
	return errors.Join(errs...)
}

// adopt adds a source for each part that has none. It removes those of no part, unless others
// are to take over from them.
func (i *Informer[T]) adopt(ctx context.Context, parts map[string]source.ListerWatcher[T]) {
	i.joinParts(parts)
	if !i.plural.Handover() {
		i.dropParts(ctx, parts)
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		s := i.Stream(name)
		if s != nil && i.isLeaving(s) {
			if i.remove(ctx, s) != nil {
				return // ctx has ended
			}
			i.feeder.Join(name) // it has just left
			s = nil
		}
		if s != nil {
			continue
		}
		if _, err := i.addStream(name, parts[name], true); err != nil {
			i.tell(err)
		}
	}
}

// joinParts has whoever waits for the store wait for all parts, before any of them is read
// and before any other is let go.
func (i *Informer[T]) joinParts(parts map[string]source.ListerWatcher[T]) {
	names := make([]string, 0, len(parts))
	for name := range parts {
		if s := i.Stream(name); s == nil || s.part {
			names = append(names, name)
		}
	}
	i.feeder.Join(names...)
}

// late returns the source of a part that has not synced, nil if there is none.
func (i *Informer[T]) late(parts map[string]source.ListerWatcher[T]) *Stream[T] {
	for name := range parts {
		if s := i.Stream(name); s != nil && !s.HasSynced() {
			return s
		}
	}
	return nil
}

// dropParts removes the sources that are of no part. It stops when ctx ends.
func (i *Informer[T]) dropParts(ctx context.Context, parts map[string]source.ListerWatcher[T]) {
	for _, s := range i.Streams() {
		if _, wanted := parts[s.name]; !wanted && s.part {
			_ = i.remove(ctx, s)
		}
	}
}

func (i *Informer[T]) isLeaving(s *Stream[T]) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return s.leaving
}
