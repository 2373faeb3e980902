// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// AddSource has the informer read src as well, from now on if it is running, and keep
// what all its sources have, in one store. It does not wait for src, but may for a batch
// that is being stored. name is for errors, and for Stream; it fails if the informer has a
// source of that name, also while that is being removed. An informer without a source whose
// factory was started before has not been run, and is not run by this: run it, or add the
// source before it is started.
//
// Sources of one informer must be of one API server, or have no object of one name in
// common: of an object that several have, the latest state is stored, and it stays
// until the last of them has lost it. The informer has synced when the sources have
// that it had when it was run; one that is added later syncs by itself. What its first
// list brings is told as part of an initial list. From now on the lister's WaitFor fails
// with store.ErrWhichStream, since nobody knows which of the sources a version is of;
// Stream.WaitFor waits for one, and WaitFor of the informer for all.
//
// An informer that has no source when it is run ends at once, with ErrNoSource, and so does
// one that its factory starts: it is not run again when it is given one.
func (i *Informer[T]) AddSource(name string, src source.ListerWatcher[T]) (*Stream[T], error) {
	if src == nil {
		return nil, &Error{Resource: i.resource, Name: i.opts.name, Source: name, Err: ErrNoSource}
	}
	return i.addStream(name, src, false)
}

func (i *Informer[T]) addStream(name string, src source.ListerWatcher[T], part bool) (*Stream[T], error) {
	s := newStream(i, name, src)
	s.part = part
	if !i.reserve(name) {
		return nil, &Error{Resource: i.resource, Name: i.opts.name, Source: name, Err: ErrSourceExists}
	}
	if !part { // which has been joined
		s.enter()
	}
	s.look()
	i.mu.Lock()
	defer i.mu.Unlock()
	i.reserved = slices.DeleteFunc(i.reserved, func(other string) bool { return other == name })
	i.streams = append(i.streams, s)
	if i.running != nil && !i.ending {
		s.start(i.running)
	}
	return s, nil
}

// reserve keeps a name for a source that is about to be added, and reports whether it was
// free.
func (i *Informer[T]) reserve(name string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.stream(name) != nil || slices.Contains(i.reserved, name) {
		return false
	}
	i.reserved = append(i.reserved, name)
	i.several = true
	return true
}

// enter has the store know of the source before it has said anything: versions that are
// waited for may be its.
func (s *Stream[T]) enter() {
	var b store.Batch[types.NamespacedName, T]
	b.From(s.name, nil)
	s.informer.feeder.Apply(&b)
}

// RemoveSource has the informer read the source no more, and delete what no other of
// its sources has. Handlers are told of that, by tombstones that say Left; the other
// sources go on and list nothing. It waits until the source's goroutines have ended
// and the store is without it; handlers may still have to be called. When ctx ends
// first it returns its cause, and if the informer is running the removal goes on.
//
// A lossless handler whose buffer is full holds this up: do not call it in a handler.
func (i *Informer[T]) RemoveSource(ctx context.Context, name string) error {
	s := i.Stream(name)
	if s == nil {
		return &Error{Resource: i.resource, Name: i.opts.name, Source: name, Err: ErrNoSuchSource}
	}
	return i.remove(ctx, s)
}

func (i *Informer[T]) remove(ctx context.Context, s *Stream[T]) error {
	for {
		i.mu.Lock()
		i.several = true
		if s.cancel != nil {
			s.leaving = true
			s.cancel()
		}
		reading := s.cancel != nil || s.leaving
		i.mu.Unlock()
		if reading || s.life.Err() != nil { // its goroutine sees to the rest
			select {
			case <-s.life.Done():
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		if err := i.turn.Lock(ctx); err != nil {
			return err
		}
		i.mu.Lock()
		idle := s.cancel == nil && !s.leaving
		if idle {
			s.leaving = true
		}
		i.mu.Unlock()
		if !idle {
			i.turn.Unlock()
			continue
		}
		s.letGoInTurn()
		return nil
	}
}

// letGoInTurn is letGo in the turn that has been taken, which it gives back.
func (s *Stream[T]) letGoInTurn() []*listener[T] {
	defer s.informer.turn.Unlock()
	return s.letGo()
}

// letGo takes out of the store what no other source has, forgets the source, and tells
// handlers; it returns those to wait for. The caller holds the turn.
func (s *Stream[T]) letGo() []*listener[T] {
	i := s.informer
	i.mu.Lock()
	i.applying = true
	i.mu.Unlock()
	var b store.Batch[types.NamespacedName, T]
	b.From(s.name, nil)
	b.Leave()
	i.feeder.Apply(&b)
	changes := make([]change[T], 0, len(b.Changes()))
	for _, c := range b.Changes() {
		changes = append(changes, change[T]{old: c.Old, new: c.Old, kind: released})
	}
	i.mu.Lock()
	i.streams = slices.DeleteFunc(slices.Clone(i.streams), func(other *Stream[T]) bool { return other == s })
	i.mu.Unlock()
	listeners := i.distribute(changes, false, nil)
	s.letGone()
	return listeners
}

// isOlder reports whether a is known to be an earlier state than b.
func isOlder[T metav1.Object](a, b T) bool {
	order, err := resourceversion.Compare(a.GetResourceVersion(), b.GetResourceVersion())
	return err == nil && order < 0
}
