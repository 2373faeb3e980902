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

// AddParts declares that the source of the store has parts, such as namespaces; see [Batch.SetPart]. They
// are of one server: a resourceVersion means the same in all parts, and is reached when the last of them
// has reached it. AddParts without parts declares that the source has parts, so far none.
//
// Add all parts before the first of them is read. Otherwise a wait could end before it knows of a part that
// is still behind.
func (f *Feeder[K, T]) AddParts(parts ...string) {
	s := f.s
	s.wakeAndReport(s.publish(func(v *version[K, T]) {
		v.positions.Divide()
		for _, part := range parts {
			v.positions.Begin(s.owners.ID(part), part)
		}
	}))
}

// PartVersion returns the resourceVersion of one part that the store reflects, or "" if it is not known.
func (f *Feeder[K, T]) PartVersion(part string) string {
	return f.s.current.Load().positions.ResourceVersion(part)
}
