// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync/atomic"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// Detector finds objects that are changed while they are in a store. Package mutation has the only one. The
// store serializes the calls.
type Detector interface {
	// Written is called after each write with keys and objects, the last written first.
	Written(objs iter.Seq2[any, any])
	// Drop is called before another object takes the key, or it is deleted.
	Drop(key any)
	// CheckAll compares all objects.
	CheckAll()
}

// NewDetector makes the detector of one store. The store calls what is passed to report after the write, under
// no lock, and passes its error to the error handlers.
type NewDetector func(report func(func() error)) Detector

// WithDetector gives the store a detector: see package mutation.
func WithDetector(create NewDetector) Option { return func(o *options) { o.detectorOverride = create } }

// detectAll makes the detectors of stores without WithDetector.
var detectAll atomic.Pointer[NewDetector]

// DetectAll gives a detector to each store that is made from now on: see package mutation. Such a store
// panics when it finds a mutation, unless it or its informer has an error handler. With nil, stores have none again.
func DetectAll(create NewDetector) { detectAll.Store(&create) }

// setDetectorOrDefault gives s the detector of its options, or that of all stores.
func (s *Store[K, T]) setDetectorOrDefault(create NewDetector) {
	if all := detectAll.Load(); create == nil && all != nil {
		create, s.errorHandlers.panicsOnUnhandledMutation = *all, *all != nil
	}
	if create != nil {
		s.detector = create(func(f func() error) { s.pendingFailures = append(s.pendingFailures, f) })
	}
}

// passWrittenToDetector passes the objects that b has written to the detector.
func (s *Store[K, T]) passWrittenToDetector(v *version[K, T], b *delta.Batch[K, T]) {
	if s.detector == nil {
		return
	}
	s.detector.Written(func(yield func(key, obj any) bool) {
		for _, d := range slices.Backward(b.Deltas) {
			if obj, slot := v.Get(s.keyFuncs.Hash(d.Key), d.Key); slot != table.NoSlot && !yield(d.Key, obj) {
				return
			}
		}
	})
}

// CheckMutations compares all objects that the mutation detector watches. It returns and
// reports the mutations. Without a detector it returns an error.
func (s *Store[K, T]) CheckMutations() error {
	if s.detector == nil {
		return errors.New("the store has no mutation detector: call mutation.Detect before it is made; " +
			"import \"github.com/indexer-gen/indexer-gen/runtime/mutation\"")
	}
	failed := s.publish(func(*version[K, T]) { s.detector.CheckAll() })
	return errors.Join(s.wakeAndReport(failed)...)
}

// A MutationError reports that an object was changed while it was in the store.
type MutationError struct {
	Type    string // the Go type of the object
	Key     string // the key of the object
	Path    string // the JSON path of the first field that differs
	Was, Is string // the JSON of the field when the object was stored, and now
}

func (e *MutationError) Error() string {
	return fmt.Sprintf("%s %s was changed after it was stored: %s was %s and is %s; "+
		"change a copy instead, such as GetCopy returns", e.Type, e.Key, e.Path, e.Was, e.Is)
}
