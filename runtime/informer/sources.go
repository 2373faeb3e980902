// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// AddSource adds src to the informer, which then mirrors all its sources in one store. If the
// informer is running, it starts to read src; otherwise AddSource does not run it. name appears
// in errors and is the argument of Informer.Source. AddSource returns an error if src is nil, or if the
// informer has a source of that name, including one that is being removed. It does not wait for
// src, but may wait for a batch that is being applied.
//
// The sources must be of one API server, or must not have objects of the same name. If several
// sources have an object, the store holds its latest state, until the last source has lost it.
//
// The informer has synced when the sources have that it had when it was run; use WaitForSync of
// the Source for a later one. The first list of each source is part of the initial list. From
// now on WaitFor of the store and of listers returns store.ErrWhichSource, since a version
// belongs to one source. Use WaitFor of the Source or of the informer.
func (i *Informer[T]) AddSource(name string, src source.ListerWatcher[T]) (*Source[T], error) {
	if src == nil {
		return nil, i.nameOf(name, ErrNoSource)
	}
	s, err := i.addSource(name, src, false)
	if err != nil {
		return nil, err
	}
	var b store.Batch[types.NamespacedName, T]
	b.SetSource(s.name, nil)
	_, _ = i.store.Apply(&b) // WaitFor must know the source before it is read
	i.startSource(s)
	return s, nil
}

// addSource adds a source without reading it. ofMulti says that multi has it.
func (i *Informer[T]) addSource(name string, src source.ListerWatcher[T], ofMulti bool) (*Source[T], error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.source(name) != nil {
		return nil, i.nameOf(name, errors.New("the informer has a source of that name; Remove waits until it is gone"))
	}
	s := newSource(i, name, src)
	s.ofMulti = ofMulti
	i.several.Store(true)
	i.sources = append(i.sources[:len(i.sources):len(i.sources)], s)
	return s, nil
}

// startSource starts to read s if the informer is running.
func (i *Informer[T]) startSource(s *Source[T]) {
	s.loadPosition()
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.running != nil && i.running.launched && !i.ending {
		s.start(i.running)
	}
}

// Remove stops reading the source and deletes the objects that no other source has. Handlers get a
// tombstone with SourceRemoved set for each of them. The other sources are not listed again. Remove waits
// until the goroutines of the source have ended and its objects are gone from the store; handlers may be
// notified later. If ctx ends first, Remove returns its cause, and a running informer completes the
// removal.
//
// A lossless handler whose buffer is full delays the removal. A handler must not call Remove.
func (s *Source[T]) Remove(ctx context.Context) error { return s.informer.remove(ctx, s) }

// remove removes s. If s is being read, its goroutine completes the removal.
func (i *Informer[T]) remove(ctx context.Context, s *Source[T]) error {
	for s.life.Err() == nil {
		if i.cancelReading(s) {
			select {
			case <-s.life.Done():
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		removed := false // it may be started meanwhile
		err := i.hub.Apply(ctx, func(d *inbox.Delivery[T]) {
			if removed = i.markLeaving(s); removed {
				s.leave(d)
			}
		})
		if err != nil {
			return err
		}
		if removed {
			s.endLife()
		}
	}
	return nil
}

// cancelReading reports whether a goroutine removes s, which it cancels if it reads s.
func (i *Informer[T]) cancelReading(s *Source[T]) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.several.Store(true)
	if s.feed != nil {
		s.leaving = true
		s.feed.Stop()
	}
	return s.leaving
}

// markLeaving prevents s from being started, unless it is being read or removed.
func (i *Informer[T]) markLeaving(s *Source[T]) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if s.feed != nil || s.leaving {
		return false
	}
	s.leaving = true
	return true
}
