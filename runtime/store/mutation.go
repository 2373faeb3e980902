// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/mutation"
)

// mutationVariable is an environment variable that enables the mutation detector in every new
// store, for test runs. Any value enables it except those that strconv.ParseBool takes for
// false. Such a store panics when it finds a mutation and has no error handler.
const mutationVariable = "INDEXER_GEN_DETECT_MUTATIONS"

// WithMutationDetector makes the store keep the JSON of up to 10,000 objects and compare it
// with theirs: of each object that is written, of one more at each write, and of all in
// CheckMutations. A difference is reported to the error handlers as a [*MutationError]. It is
// for tests: a write takes some microseconds more, and the JSON takes memory.
//
// It does not see unexported fields and fields with the tag "-". An object that encoding/json
// refuses is reported and not watched. Of more than 10,000 objects some are not watched, always
// including the last written.
func WithMutationDetector() Option { return func(o *options) { o.detect = true } }

// detectsByEnvironment reports whether mutationVariable enables the detector.
func detectsByEnvironment() bool {
	value := os.Getenv(mutationVariable)
	on, err := strconv.ParseBool(value)
	return on || err != nil && value != ""
}

// newDetector returns a detector that reports to failed.
func newDetector[K comparable, T any](failed *[]failure) *mutation.Detector[K, T] {
	return &mutation.Detector[K, T]{
		Report: func(key K, obj T, path, was, is string) {
			*failed = append(*failed, func() error {
				return &MutationError{Type: fmt.Sprintf("%T", obj), Key: fmt.Sprint(key), Path: path, was: was, is: is}
			})
		},
		Refuse: func(key K, obj T, err error) {
			*failed = append(*failed, func() error {
				return fmt.Errorf("mutation detector: %T %v is not watched: %w", obj, key, err)
			})
		},
	}
}

// detect watches the objects that b has written, of a large batch the last, and compares one more object.
func (s *Store[K, T]) detect(v *version[K, T], b *delta.Batch[K, T]) {
	if s.detector == nil {
		return
	}
	for _, d := range b.Deltas[max(0, len(b.Deltas)-mutation.MaxWatched):] {
		if obj, ok := v.Get(s.keys.Hash(d.Key), d.Key); ok {
			s.detector.Watch(d.Key, obj)
		}
	}
	s.detector.CompareAny()
}

// CheckMutations compares all objects that the mutation detector watches. It returns and
// reports the mutations. Without a detector it returns an error.
func (s *Store[K, T]) CheckMutations() error {
	if s.detector == nil {
		return errors.New("the store has no mutation detector: " +
			"make it with WithMutationDetector, or set " + mutationVariable)
	}
	failed := s.publish(func(*version[K, T]) { s.detector.CompareAll() })
	return errors.Join(s.wakeAndReport(failed)...)
}
