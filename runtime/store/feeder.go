// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"github.com/indexer-gen/indexer-gen/runtime/internal/accessor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Feeder writes the batches of a source, and has the methods that an informer needs and other users of a
// store do not. All methods are safe for concurrent use. Set the fields before the first Apply. Their
// functions run while other writers wait, and must not panic.
type Feeder[K comparable, T any] struct {
	// Compare, if set, tells how an object differs from the one that it replaces, such as [CompareObjects].
	// An Unchanged object makes no change: the store keeps the old one, and does not call index functions.
	// A Recreated object makes two changes, a Deleted with FinalStateUnknown and an Added. Without Compare,
	// every object that replaces another is Changed.
	Compare func(old, new T) Difference
	// Older, if set, reports whether a is known to be an older state of an object than b; see ApplyPart.
	Older func(a, b T) bool

	s *Store[K, T]
}

// Difference says how a new object differs from the one that the store has under its key.
type Difference uint8

const (
	// Changed means that the new object is another state of the old one.
	Changed Difference = iota
	// Unchanged means that the new object is the same state of the old one.
	Unchanged
	// Recreated means that the old object is gone, and the new one was created with its key.
	Recreated
)

// CompareObjects is the comparison of informers. Objects of different UIDs are
// Recreated. Objects of one resourceVersion are Unchanged if they are also equal: a server that was
// restored from a backup assigns a resourceVersion twice. Objects without UIDs are never Recreated, and
// those without a resourceVersion are never Unchanged.
func CompareObjects[T metav1.Object](old, new T) Difference {
	switch was, is := old.GetUID(), new.GetUID(); {
	case was != is && was != "" && is != "":
		return Recreated
	case accessor.Unchanged(old, new):
		return Unchanged
	}
	return Changed
}

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
	return &Feeder[K, T]{s: s}
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

// AddParts declares that the source of the store has parts, such as namespaces; see ApplyPart. They
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
