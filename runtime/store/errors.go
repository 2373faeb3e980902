// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
)

// A KeyError reports that an object was not stored because the key function panicked.
type KeyError struct {
	Position int // of the write in the batch
	Err      error
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("object %d was not stored, its key cannot be read: %v", e.Position, e.Err)
}

func (e *KeyError) Unwrap() error { return e.Err }

// An IndexError reports that an index function failed for an object. The object is stored, and
// other indexes and its key find it.
type IndexError struct {
	Index string // the name of the index
	Key   string // the key of the object
	Err   error
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index %s: object %s: %v", e.Index, e.Key, e.Err)
}

func (e *IndexError) Unwrap() error { return e.Err }

// ErrImpure is wrapped by an IndexError if an object is not indexed under the values that the
// index function returns for it now. Either the function is impure, or a cached object was
// changed. The index has been repaired.
var ErrImpure = index.ErrImpure

// Option configures a store.
type Option func(*options)

type options struct {
	errorHandlers    *errorHandlers
	detectorOverride NewDetector // nil: none, or that of all stores
}

// errorHandlers passes errors to the error handlers.
type errorHandlers struct {
	mu                        sync.Mutex
	handlers                  []*func(error) (handled bool)
	panicsOnUnhandledMutation bool // with a MutationError that no handler handled
}

// deferredErrorFunc returns an error to report. It is called without locks, because formatting a key may
// run foreign code.
type deferredErrorFunc func() error

// WithErrorHandler makes the store call f with each *IndexError and *MutationError. The write
// that caused the error calls f before it returns, under no lock. A nil f is ignored.
func WithErrorHandler(f func(error)) Option {
	return func(o *options) {
		if f != nil {
			o.errorHandlers.addHandler(func(err error) bool { f(err); return true })
		}
	}
}

// addHandler adds a handler, unless it is nil, and returns a function that removes it.
func (r *errorHandlers) addHandler(f func(error) (handled bool)) (remove func()) {
	if f == nil {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers = append(r.handlers[:len(r.handlers):len(r.handlers)], &f)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.handlers = slices.DeleteFunc(slices.Clone(r.handlers), func(have *func(error) bool) bool { return have == &f })
	}
}

func (r *errorHandlers) reportOrPanic(err error) {
	r.mu.Lock()
	handlers, panics := r.handlers, r.panicsOnUnhandledMutation
	r.mu.Unlock()
	handled := false
	for _, f := range handlers {
		handled = (*f)(err) || handled
	}
	if mutation := (*MutationError)(nil); panics && !handled && errors.As(err, &mutation) {
		panic(err) //nolint:forbidigo // mutation.Detect asks for it in tests
	}
}
