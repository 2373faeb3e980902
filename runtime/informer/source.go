// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/feed"
	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/source"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Source is one source of an informer. It has its own resourceVersion, sync and errors. Its
// methods are safe for concurrent use.
type Source[T metav1.Object] struct {
	informer *Informer[T]
	name     string
	log      *health.Log
	src      source.ListerWatcher[T]
	ofMulti  bool            // of the source of New, which implements source.Multi
	synced   chan struct{}   // closed once its first list is in the store
	life     context.Context // ends when the source has been removed
	endLife  context.CancelFunc

	// Guarded by informer.mu.
	lastError error
	position  string // version of the source that the store has reached, while it is not read
	hasSynced bool
	leaving   bool          // it is being removed
	feed      *feed.Feed[T] // nil if the source is not read
}

func newSource[T metav1.Object](i *Informer[T], name string, src source.ListerWatcher[T]) *Source[T] {
	s := &Source[T]{informer: i, name: name, log: i.log.Of(name), src: src, synced: make(chan struct{})}
	s.life, s.endLife = context.WithCancel(context.Background())
	return s
}

// Name returns the name of the source. It is "" for the source that was passed to New.
func (s *Source[T]) Name() string { return s.name }

// Synced is closed once the first list of the source is in the store.
func (s *Source[T]) Synced() <-chan struct{} { return s.synced }

// LastError returns the last error of the source as an *Error, or nil. It is kept when the
// source recovers.
func (s *Source[T]) LastError() error {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	return s.lastError
}

// reading returns the feed that reads the source, or nil.
func (s *Source[T]) reading() *feed.Feed[T] {
	s.informer.mu.Lock()
	defer s.informer.mu.Unlock()
	return s.feed
}

// Source returns the source of that name, or nil.
func (i *Informer[T]) Source(name string) *Source[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.source(name)
}

// source is Source; it requires i.mu.
func (i *Informer[T]) source(name string) *Source[T] {
	for _, s := range i.sources {
		if s.name == name {
			return s
		}
	}
	return nil
}

// Sources returns the sources of the informer, in the order in which they were added.
func (i *Informer[T]) Sources() []*Source[T] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Clone(i.sources)
}
