// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "sync"

// Shared is an informer that the users of a factory share. The first user creates it, and it ends when the last one
// has released it or the factory is shut down. The methods of Shared are safe for concurrent use.
type Shared[I Shareable] struct {
	factory     *Factory
	newInformer func() I

	mu       sync.Mutex
	informer I
	member   *member // nil if there is no informer
	users    int     // of member; Get counts as a user that never leaves
}

// Share returns a lazily created informer that belongs to f: f starts it if f is started, and
// shuts it down. make creates the informer; it must not use the Shared.
func Share[I Shareable](f *Factory, make func() I) *Shared[I] {
	return &Shared[I]{factory: f, newInformer: make}
}

// Get returns the informer, and keeps it for as long as the factory.
func (s *Shared[I]) Get() I {
	informer, _ := s.join()
	return informer
}

// Use returns the informer and a release function. Call release when you no longer need the
// informer, its handlers and its live listers; snapshots stay valid. When every user has
// released the informer and Get was never called, the informer stops and is forgotten: waits
// for it return ErrStopped, and the next user gets a new one. release does not block, may be
// called by a handler, and does nothing when called again.
func (s *Shared[I]) Use() (informer I, release func()) {
	informer, member := s.join()
	return informer, sync.OnceFunc(func() { s.removeUser(member) })
}

// join adds a user. It creates the informer if there is none.
func (s *Shared[I]) join() (I, *member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.member == nil {
		s.informer = s.newInformer()
		s.member = s.factory.add(s.informer)
	}
	s.users++
	return s.informer, s.member
}

// removeUser removes a user of m.
func (s *Shared[I]) removeUser(m *member) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.users--
	if s.users > 0 {
		return
	}
	var none I
	s.informer, s.member = none, nil
	s.factory.stopAndRemoveMember(m)
}
