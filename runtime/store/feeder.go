// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import "slices"

// Feeder is what an informer needs of the store that it fills, beyond writing to it:
// batches that leave out what cannot be stored, and a say in how waits end. All methods
// may be called from several goroutines at once.
type Feeder[K comparable, T any] struct{ s *Store[K, T] }

// NewFeeder returns the feeder of s. From now on Store.Set no longer moves the
// resourceVersion of s: batches do.
//
// explain wraps the error of a wait that ends with its context: the feeder knows why the
// store is behind. It is called by the waiting goroutine, under no lock. If explain is
// nil, waits return the cause of their context. A later feeder replaces it.
func NewFeeder[K comparable, T any](s *Store[K, T], explain func(why error) error) *Feeder[K, T] {
	if explain == nil {
		explain = func(why error) error { return why }
	}
	s.explain.Store(&explain)
	return &Feeder[K, T]{s}
}

// Apply does the writes of b at once: a reader sees all of them or none. Objects whose key
// cannot be read are left out and returned, in the order of their positions; the others
// are stored. A Replace that leaves an object out deletes nothing, since the object may be
// any of those in the store.
func (f *Feeder[K, T]) Apply(b *Batch[K, T]) (leftOut []*KeyError) {
	b.dropChanges()
	wanted, leftOut := f.s.keys(b)
	if len(leftOut) > 0 {
		wanted = b.leaveOut(leftOut, wanted)
	}
	f.s.finish(f.s.apply(b, wanted))
	return leftOut
}

// leaveOut drops the objects without a key from b and from wanted.
func (b *Batch[K, T]) leaveOut(leftOut []*KeyError, wanted []located[K]) []located[K] {
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

// AddErrorHandler is WithErrorHandler for an existing store: it calls handle with each
// *IndexError and *MutationError from now on, until remove is called.
func (f *Feeder[K, T]) AddErrorHandler(handle func(error)) (remove func()) {
	return f.s.reports.add(handle)
}

// Halt makes waits for what the store does not have fail with why, those that have begun
// and those to come. It says that nobody feeds the store until further notice; the store
// can still be read and written. Halt(nil) takes it back.
func (f *Feeder[K, T]) Halt(why error) {
	if why == nil {
		f.s.halted.Store(nil)
		return
	}
	f.s.halted.Store(&halt{why})
	f.s.changed.FireAll()
}
