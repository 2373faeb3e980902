// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/ctxsync"
	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
)

// Parts are the sources of which a [Source] consists, for example one for each namespace of a set. An
// informer reads each of them and mirrors all in one store. They are of one API server, and may change
// while they are read.
type Parts[T any] struct {
	// Sources returns the current sources by name. A name always denotes the same source, which has no
	// parts itself.
	Sources func() map[string]Source[T]
	// Handover is set if new sources take over objects of old ones, so that old sources must be kept
	// until the new ones have synced.
	Handover bool
	// Follow calls changed after each change of Sources, until stop is called. changed returns when the
	// reader has followed the change. If its context ends first, it returns an error, and the reader
	// continues.
	Follow func(changed func(context.Context) error) (stop func())
}

// OfParts returns a source that consists of p.
func OfParts[T any](p Parts[T]) Source[T] { return Source[T]{parts: &p} }

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
	makesBeforeBreak bool
	changeLock       ctxsync.Mutex // held while the set is changed

	mu        sync.Mutex
	parts     []P
	followers []*follower // copied on write
}

type follower struct{ onChange func(context.Context) error }

func newSet[P comparable](handover bool, parts []P) *Set[P] {
	return &Set[P]{makesBeforeBreak: handover, changeLock: ctxsync.NewMutex(), parts: distinctParts(parts)}
}

func distinctParts[P comparable](parts []P) []P {
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

// Replace replaces the parts. It waits until each running informer has synced the added parts and
// removed the others. Parts that stay are not listed again. Calls run one after the other.
//
// If ctx ends first, Replace returns the joined errors of the informers that have not followed. The
// set has changed, and the informers continue. A handler must not call Replace: the informer may have
// to wait for the handler.
func (s *Set[P]) Replace(ctx context.Context, parts ...P) error {
	if err := s.changeLock.Lock(ctx); err != nil {
		return err
	}
	defer s.changeLock.Unlock()
	s.mu.Lock()
	s.parts = distinctParts(parts)
	followers := s.followers
	s.mu.Unlock()
	errs := make([]error, len(followers))
	var following waitgroup.Group
	for i, f := range followers {
		following.Go(func() { errs[i] = f.onChange(ctx) })
	}
	following.Wait()
	return errors.Join(errs...)
}

// Follow calls changed after each change of the set, until stop is called; see [Parts].
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

// ForEach returns a source that has the source of open for each part of set. The name of a source is its
// part as printed by fmt, so different parts must print differently. open must be safe for concurrent
// use; its sources must not have parts.
func ForEach[T any, P comparable](set *Set[P], open func(part P) Source[T]) Source[T] {
	return OfParts(Parts[T]{
		Sources: func() map[string]Source[T] {
			sources := make(map[string]Source[T])
			for _, p := range set.Parts() {
				sources[fmt.Sprint(p)] = open(p)
			}
			return sources
		},
		Handover: set.makesBeforeBreak, Follow: set.Follow,
	})
}
