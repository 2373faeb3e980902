// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

// Feeder has the methods that an informer needs and other users of a store do not. All methods are safe
// for concurrent use.
type Feeder[K comparable, T any] struct{ s *Store[K, T] }

// NewFeeder returns the feeder of s. From now on batches set the resourceVersion of s, and
// Store.Set does not.
//
// explain wraps the error of a wait whose context ends, to add why the store is behind. The
// waiting goroutine calls it, under no lock. If explain is nil, waits return the cause of their
// context. A later feeder replaces it.
func NewFeeder[K comparable, T any](s *Store[K, T], explain func(why error) error) *Feeder[K, T] {
	if explain == nil {
		explain = func(why error) error { return why }
	}
	s.explain.Store(&explain)
	return &Feeder[K, T]{s}
}

// AddErrorHandler is WithErrorHandler for an existing store. It calls handle with each
// *IndexError and *MutationError until remove is called.
func (f *Feeder[K, T]) AddErrorHandler(handle func(error)) (remove func()) {
	return f.s.reports.add(handle)
}

// Halt declares that the store is no longer fed. Waits that are not satisfied return why, both
// the current ones and later ones. The store can still be read and written. Halt(nil) ends
// this state.
func (f *Feeder[K, T]) Halt(why error) {
	if why == nil {
		f.s.halted.Store(nil)
		return
	}
	f.s.halted.Store(&why)
	f.s.changed.FireAll()
}

// Join declares that sources (see [Batch.SetSource]) come from one server, like the sources of
// several namespaces. A resourceVersion then means the same in all joined sources, and is
// reached when the last of them has reached it. Joins add up; a source that ends is no
// longer joined. Join without sources declares that the store has joined sources, so far none.
//
// Join all sources before the first of them begins. Otherwise a wait could end before it
// knows of a source that is still behind.
func (f *Feeder[K, T]) Join(sources ...string) {
	s := f.s
	s.wakeAndReport(s.publish(func(v *version[K, T]) { v.positions.Join(sources, s.sources.ID) }))
}
