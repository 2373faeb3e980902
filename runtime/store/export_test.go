// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/internal/resourceversion"
)

// Reached reports whether the store reflects resourceVersion, which was valid in e, or a later one.
func (r Reader[K, T]) Reached(e Epoch, resourceVersion string) (reached bool, err error) {
	if resourceVersion != "" {
		if err := resourceversion.Check(resourceVersion); err != nil {
			return false, err
		}
	}
	return r.version().positions.Reached(e.rewindCount, resourceVersion)
}

// ReportsOf returns a function that returns the errors reported by s from now on.
func ReportsOf[K comparable, T any](s *Store[K, T]) func() []error {
	var (
		mu  sync.Mutex
		all []error
	)
	s.errorHandlers.addHandler(func(err error) bool {
		mu.Lock()
		defer mu.Unlock()
		all = append(all, err)
		return true
	})
	return func() []error {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(all)
	}
}

// Detecting gives a store the detector of package mutation, which imports this package.
var Detecting Option

// Reset empties a batch. Tests that count allocations reuse its memory.
func (b *Batch[K, T]) Reset() {
	*b = Batch[K, T]{deltas: delta.Batch[K, T]{Deltas: b.deltas.Deltas[:0]}, pendingKeyPositions: b.pendingKeyPositions[:0]}
	clear(b.deltas.Deltas[:cap(b.deltas.Deltas)])
}

// Lost returns the deletion of an object whose final state is unknown.
func Lost[T any](last T, why Cause) Change[T] { return unobservedDeletion(last, why) }

// KeepStale keeps the object of key and marks it stale.
func KeepStale[K comparable, T any](b *Batch[K, T], key K) {
	b.appendRawDelta(delta.Delta[K, T]{Type: delta.Stale, NoObject: true, Key: key})
}

// Write adds deltas to b.
func Write[K comparable, T any](b *Batch[K, T], deltas ...delta.Delta[K, T]) {
	for _, d := range deltas {
		b.appendRawDelta(d)
	}
}

// ApplyBy applies b as a feeder with compare does.
func ApplyBy[K comparable, T any](
	s *Store[K, T], b *Batch[K, T], compare func(old, new T) (isSame, isOther bool),
) ([]Change[T], error) {
	if err := s.readKeys(b); err != nil {
		return nil, err
	}
	return (&Feeder[K, T]{s, batchRules[T]{deepCompare: compare}}).Apply(&b.deltas), nil
}

// ApplyPart applies b as a batch of a part of the source.
func ApplyPart[K comparable, T any](
	s *Store[K, T], b *Batch[K, T], part string, older func(a, b T) bool,
) ([]Change[T], error) {
	if err := s.readKeys(b); err != nil {
		return nil, err
	}
	return (&Feeder[K, T]{s, batchRules[T]{isOlderForSharedObject: older}}).Part(part).Apply(&b.deltas), nil
}

// FeederOf returns a feeder of any store. It compares nothing.
func FeederOf[K comparable, T any](s *Store[K, T]) *Feeder[K, T] {
	explain := func(why error) error { return why }
	s.feederExplain.Store(&explain)
	return &Feeder[K, T]{store: s}
}
