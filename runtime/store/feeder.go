// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Feeder has the methods that an informer needs and other users of a store do not: batches
// that leave out bad objects, and control over waits. All methods are safe for concurrent use.
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

// Apply applies b atomically. Objects whose key cannot be read are dropped from b and returned in
// the order of their positions; the others are stored. A Replace that drops an object deletes
// nothing, because the object may be any of those in the store.
func (f *Feeder[K, T]) Apply(b *Batch[K, T]) (leftOut []*KeyError) {
	b.changes = nil
	wanted, leftOut := f.s.readKeys(b)
	if len(leftOut) > 0 {
		wanted = b.leaveOut(leftOut, wanted)
	}
	f.s.wakeAndReport(f.s.publish(func(v *version[K, T]) { f.s.applyTo(v, b, wanted) }))
	return leftOut
}

// leaveOut drops the objects without a key from b and from wanted.
func (b *Batch[K, T]) leaveOut(leftOut []*KeyError, wanted []table.Located[K]) []table.Located[K] {
	isLeftOut := func(position int) bool {
		order := func(e *KeyError, at int) int { return e.Position - at }
		_, found := slices.BinarySearchFunc(leftOut, position, order)
		return found
	}
	b.incomplete = true
	objs, ops, keys := make([]T, 0, len(b.objs)), b.ops[:0], wanted[:0]
	for i, obj := range b.objs {
		if !isLeftOut(i) {
			objs, keys = append(objs, obj), append(keys, wanted[i])
		}
	}
	for i, o := range b.ops {
		if !isLeftOut(len(b.objs) + i) {
			ops = append(ops, o)
		}
	}
	b.objs, b.ops = objs, ops
	return keys
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
