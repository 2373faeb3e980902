// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package source

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/internal/waitgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ErrPlural is what a Plural answers to requests.
var ErrPlural = errors.New("the source is made up of several, each of which is to be read by itself, as informers do")

// Plural is a source that is made up of several, which may come and go while it is
// read: of one for each namespace of a set, say. An informer reads each by itself, and
// keeps what all of them have. List and Watch fail with ErrPlural.
type Plural[T any] interface {
	ListerWatcher[T]
	// Parts returns the sources that there are now, by name. To what has the same name
	// later on, nothing has changed.
	Parts() map[string]ListerWatcher[T]
	// Handover says that what comes may take over from what goes, so that that must
	// be kept until the other is there.
	Handover() bool
	// Follow has changed be called after Parts has changed, until stop is called. It
	// returns when the change has been followed. When its context ends first it returns
	// why the change has not been followed yet; the reader goes on to follow it.
	Follow(changed func(context.Context) error) (stop func())
}

// Namespaces is a set of namespaces that may be changed while informers read them; ""
// means all.
type Namespaces = Set[string]

// NewNamespaces returns a set of namespaces, to be given to the sources of one or more
// types with [Over], which emitted code does. What is in a namespace that is taken out
// of the set is let go at once.
func NewNamespaces(names ...string) *Namespaces { return newSet(false, names) }

// NewHandover returns a set of parts that may take over from each other: what is in a
// part that is taken out is kept until those that came in are there.
func NewHandover[P comparable](parts ...P) *Set[P] { return newSet(true, parts) }

// Set is what sources are made up of: namespaces, for example. It may be shared by
// sources of many types. Its methods are safe for concurrent use.
type Set[P comparable] struct {
	handover bool
	turn     chan struct{} // held by whoever changes the set

	names     partNames[P]
	mu        sync.Mutex
	parts     []P
	followers []*follower // replaced, never changed
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

// Parts returns what is in the set.
func (s *Set[P]) Parts() []P {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.parts)
}

// Set changes what is in the set, and waits until each running informer has synced
// what is new and let go what is no longer wanted. What remains is not listed again.
//
// If ctx ends first, Set returns the errors of the informers that have not, joined. The set
// has changed all the same, and each informer goes on by itself until it has followed the
// change. Calls are done one after the other. A handler must not call Set: the informer may
// have to wait for that handler.
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

// Handover implements Plural for the sources that are made of the set.
func (s *Set[P]) Handover() bool { return s.handover }

// Follow implements Plural for the sources that are made of the set.
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

// Over returns a source that is made up of the one that open returns for each part of
// set, named as fmt prints the part, and by a number too if another part was printed
// alike before it; so parts that are no strings are remembered, be they still in the set
// or not. open must be safe for concurrent use, and the
// sources that it returns must not be Plural.
func Over[T any, P comparable](set *Set[P], open func(part P) ListerWatcher[T]) ListerWatcher[T] {
	return over[T, P]{Set: set, open: open}
}

type over[T any, P comparable] struct {
	*Set[P]
	open func(P) ListerWatcher[T]
}

// Parts implements Plural.
func (o over[T, P]) Parts() map[string]ListerWatcher[T] {
	parts := make(map[string]ListerWatcher[T])
	for _, p := range o.Set.Parts() {
		parts[o.names.of(p)] = o.open(p)
	}
	return parts
}

// List implements ListerWatcher.
func (over[T, P]) List(context.Context, metav1.ListOptions, func(Item[T]) error) (metav1.ListMeta, error) {
	return metav1.ListMeta{}, ErrPlural
}

// Watch implements ListerWatcher.
func (over[T, P]) Watch(context.Context, metav1.ListOptions) iter.Seq2[Event[T], error] {
	return func(yield func(Event[T], error) bool) { yield(Event[T]{}, ErrPlural) }
}
