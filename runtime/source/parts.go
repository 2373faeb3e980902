// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrMulti is returned by List and Watch of a source with several parts.
var ErrMulti = errors.New("the source consists of several sources; list and watch each of its Sources")

// Multi is implemented by sources that consist of several, for example one for each namespace of
// a set. An informer reads each of them instead, and mirrors all in one store. They may change while
// they are read.
type Multi[T any] interface {
	// Sources returns the current sources by name. A name always denotes the same source.
	Sources() map[string]ListerWatcher[T]
	// Handover reports whether new sources take over objects of old ones, so that old sources must
	// be kept until the new ones have synced.
	Handover() bool
	// Follow calls changed after each change of Sources, until stop is called. changed returns
	// when the reader has followed the change. If its context ends first, it returns an error,
	// and the reader continues.
	Follow(changed func(context.Context) error) (stop func())
}

// Namespaces is a set of namespaces; "" means all. It may change while informers read them.
type Namespaces = Set[string]

// NewNamespaces returns a set of namespaces for [ForEach] or for generated code. If a namespace is
// removed from the set, informers delete its objects at once.
func NewNamespaces(names ...string) *Namespaces { return newSet(false, names) }

// NewHandover returns a set of parts that take over objects from each other. If a part is removed
// from the set, informers keep its objects until the added parts have synced.
func NewHandover[P comparable](parts ...P) *Set[P] { return newSet(true, parts) }

// Set is a set of parts, for example of namespaces. Sources of several types may share it. Its
// methods are safe for concurrent use.
type Set[P comparable] struct {
	handover bool
	turn     chan struct{} // held while the set is changed

	mu        sync.Mutex
	parts     []P
	followers []*follower // copied on write
}

type follower struct{ changed func(context.Context) error }

func newSet[P comparable](handover bool, parts []P) *Set[P] {
	return &Set[P]{handover: handover, turn: make(chan struct{}, 1), parts: unique(parts)}
}

func unique[P comparable](parts []P) []P {
	var out []P
	for _, p := range parts {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// Parts returns the parts in the set.
func (s *Set[P]) Parts() []P {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.parts)
}

// Set replaces the parts. It waits until each running informer has synced the added parts and
// removed the others. Parts that stay are not listed again. Calls run one after the other.
//
// If ctx ends first, Set returns the joined errors of the informers that have not followed. The
// set has changed, and the informers continue. A handler must not call Set: the informer may have
// to wait for the handler.
func (s *Set[P]) Set(ctx context.Context, parts ...P) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.mu.Lock()
	s.parts = unique(parts)
	followers := s.followers
	s.mu.Unlock()
	errs := make([]error, len(followers))
	var following waitgroup.Group
	for i, f := range followers {
		following.Go(func() { errs[i] = f.changed(ctx) })
	}
	following.Wait()
	return errors.Join(errs...)
}

// Handover implements Multi for the sources of ForEach.
func (s *Set[P]) Handover() bool { return s.handover }

// Follow implements Multi for the sources of ForEach.
func (s *Set[P]) Follow(changed func(context.Context) error) (stop func()) {
	f := &follower{changed}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.followers = append(slices.Clone(s.followers), f)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.followers = slices.DeleteFunc(slices.Clone(s.followers), func(other *follower) bool { return other == f })
	}
}

// ForEach returns a source that implements Multi: it has the source of open for each part of set.
// The name of a source is its part as printed by fmt, so different parts must print differently. List
// and Watch return ErrMulti. open must be safe for concurrent use; its sources must not implement
// Multi.
func ForEach[T any, P comparable](set *Set[P], open func(part P) ListerWatcher[T]) ListerWatcher[T] {
	return forEach[T, P]{Set: set, open: open}
}

type forEach[T any, P comparable] struct {
	*Set[P]
	open func(P) ListerWatcher[T]
}

// Sources implements Multi.
func (f forEach[T, P]) Sources() map[string]ListerWatcher[T] {
	sources := make(map[string]ListerWatcher[T])
	for _, p := range f.Set.Parts() {
		sources[fmt.Sprint(p)] = f.open(p)
	}
	return sources
}

// List implements ListerWatcher.
func (forEach[T, P]) List(
	context.Context, metav1.ListOptions, func(Item[T]) error,
) (metav1.ListMeta, error) {
	return metav1.ListMeta{}, ErrMulti
}

// Watch implements ListerWatcher.
func (forEach[T, P]) Watch(context.Context, metav1.ListOptions) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) { yield(Event[T]{}, ErrMulti) }
}
