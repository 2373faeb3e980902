// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/feed"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/inbox"
	"github.com/indexer-gen/indexer-gen/runtime/reflector"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// loadPosition loads the version that the store has reached. It must not be called with
// informer.mu held: reading the store may wait.
func (s *Source[T]) loadPosition() {
	position := s.informer.store.Reader().ResourceVersionOf(s.name)
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	s.position = position
}

// start starts to read the source in r, after loadPosition. It requires informer.mu.
func (s *Source[T]) start(r *run) {
	if s.feed != nil || s.leaving {
		return
	}
	i := s.informer
	s.feed = feed.New(r.ctx, feed.Config[T]{
		Name: s.name, Source: s.src, BatchSize: i.opts.batchSize,
		Reflector: reflector.Options[T]{
			Settings: i.opts.reflector, ResourceVersion: s.position, Transform: transformOf[T](i.opts.transforms),
			OnError: s.tell, OnEvent: s.log.Event,
		},
		Store: i.store, Hub: i.hub, Several: i.several.Load, Applied: s.applied,
	})
	s.feed.Start(&r.done, func() { s.end(r) })
}

// applied records that a batch of the source is in the store. It reports whether that was its first
// list, and whether all first lists are in the store now.
func (s *Source[T]) applied(list bool) (initial, last bool) {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	if initial = list && !s.hasSynced; initial {
		s.hasSynced = true
		close(s.synced)
	}
	return initial, s.informer.completes()
}

// end is called when the goroutines of the source have ended. It completes a removal.
func (s *Source[T]) end(r *run) {
	i := s.informer
	i.mu.Lock()
	s.feed = nil
	leaving := s.leaving
	i.mu.Unlock()
	if leaving {
		_ = i.hub.Apply(context.Background(), s.leave) // no holder of the turn waits for a handler
		s.endLife()
		i.hub.AwaitRoom(r.ctx)
	}
}

// leave removes the source from the store and the informer. It is called in the hub's turn.
func (s *Source[T]) leave(d *inbox.Delivery[T]) {
	i := s.informer
	var b store.Batch[types.NamespacedName, T]
	b.SetSource(s.name, nil)
	b.EndSource()
	changes, _ := i.store.Apply(&b) // it fails only for a Set without a key
	i.mu.Lock()
	defer i.mu.Unlock()
	i.sources = slices.DeleteFunc(slices.Clone(i.sources), func(o *Source[T]) bool { return o == s })
	d.Changes, d.Last = changes, i.completes()
}
