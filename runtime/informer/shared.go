// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import "sync"

// Shared is an informer of a factory that all who ask for it share. It is made when it is
// first asked for and lives as long as the factory or, if all have said when they need it
// no longer, as long as anyone does; then another is made for the next. Its methods are
// safe for concurrent use.
type Shared[I Runner] struct {
	factory *Factory
	make    func() I

	mu  sync.Mutex
	now *sharing[I] // nil if there is no informer
}

// sharing is one informer of a Shared, and how many need it.
type sharing[I Runner] struct {
	once     sync.Once // to make it; what follows is set by then
	informer I
	member   *member
	made     bool
	odd      any // what make has panicked with

	users int
	kept  bool
}

// Share returns what is shared of the informers that make returns, each of which belongs
// to f from then on, and is started if f is. If make panics, so does who has asked, and the
// next one has it called again.
func Share[I Runner](f *Factory, make func() I) *Shared[I] {
	return &Shared[I]{factory: f, make: make}
}

// Get returns the informer, which lives as long as the factory from now on.
func (s *Shared[I]) Get() I {
	informer, _ := s.join(true)
	return informer
}

// Use returns the informer, and release, which says that the caller needs it no longer,
// nor any lister, snapshot aside, or handler of it. When all have released it, and nobody
// has called Get, the informer stops and is forgotten, with all that it holds, and who
// waits for it still gets ErrStopped; the factory's Shutdown waits for its goroutines.
// release does not block, may be called by a handler, and has no effect the second time.
func (s *Shared[I]) Use() (informer I, release func()) {
	informer, one := s.join(false)
	return informer, sync.OnceFunc(func() { s.leave(one) })
}

// join adds a user, and makes the informer if there is none.
func (s *Shared[I]) join(forever bool) (I, *sharing[I]) {
	one := s.enter(forever)
	one.once.Do(func() { s.fill(one) })
	if !one.made {
		panic(one.odd) //nolint:forbidigo // make's own, as for the one who had it called
	}
	return one.informer, one
}

func (s *Shared[I]) enter(forever bool) *sharing[I] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == nil {
		s.now = &sharing[I]{}
	}
	s.now.kept = s.now.kept || forever
	s.now.users++
	return s.now
}

// fill makes the informer.
func (s *Shared[I]) fill(one *sharing[I]) {
	defer func() {
		if one.made {
			return
		}
		s.forget(one)
		one.odd = recover()
		panic(one.odd) //nolint:forbidigo // at once, so that the trace leads into make
	}()
	one.informer = s.make()
	one.member = s.factory.add(one.informer)
	one.made = true
}

// forget forgets what could not be made: it is tried again for the next who asks.
func (s *Shared[I]) forget(one *sharing[I]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.now == one {
		s.now = nil
	}
}

// leave takes away a user, for whom one was made.
func (s *Shared[I]) leave(one *sharing[I]) {
	s.mu.Lock()
	one.users--
	last := one.users == 0 && !one.kept
	if last {
		s.now = nil // that is one: it has had users until now
	}
	s.mu.Unlock()
	if last {
		s.factory.release(one.member)
	}
}
