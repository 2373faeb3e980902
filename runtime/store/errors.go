// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
)

// ErrRewound is what WaitFor returns when the store was filled anew from a
// source that has gone backward, such as a restored etcd: the resourceVersion
// that was waited for may never come.
var ErrRewound = errors.New("the source went backward (restored from a backup?): " +
	"read the object again before waiting for it")

// A KeyError says that an object was not stored because the key function panicked.
type KeyError struct {
	Position int // of the object in what was to be written
	Err      error
}

func (e *KeyError) Error() string {
	return fmt.Sprintf("object %d was not stored, its key cannot be read: %v", e.Position, e.Err)
}

func (e *KeyError) Unwrap() error { return e.Err }

// An IndexError says that an index function failed for an object. The object
// is stored all the same, and found by its key and by its other indexes.
type IndexError struct {
	Index string // the index's name
	Key   string // the object's key
	Err   error
}

func (e *IndexError) Error() string {
	return fmt.Sprintf("index %s: object %s: %v", e.Index, e.Key, e.Err)
}

func (e *IndexError) Unwrap() error { return e.Err }

// ErrImpure is the cause in an IndexError when an object was not found under
// the values that its index function gives for it now: the function is impure,
// or somebody has written to a cached object. The index has been repaired.
var ErrImpure = errors.New("the values of an object in the store have changed: " +
	"its index function is impure, or a cached object was written to")

// errInterface is the cause in an IndexError of an index whose values may be interfaces.
var errInterface = errors.New("index values must not be or contain interfaces: " +
	"return values of one comparable type")

// errOrder is the cause in an IndexError when the order of an ordered index does
// not tell two values apart.
var errOrder = errors.New("the index's order calls two different values equal; " +
	"the object is not found under the second: compare all of the value")

// contained turns what a foreign function panicked with into an error.
func contained(recovered any) error {
	if err, ok := recovered.(error); ok {
		return fmt.Errorf("panic: %w", err)
	}
	return fmt.Errorf("panic: %v", recovered)
}

// Option configures a store.
type Option func(*options)

type options struct {
	reports *reports
	detect  bool
}

// reports hands errors that no caller can be given to whom they concern.
type reports struct {
	mu       sync.Mutex
	handlers []*func(error)
	panics   bool // with a MutationError, if there is no handler
}

// failure is something to be reported. It is made an error once no lock is held,
// for printing a key is foreign code; nil if there is nothing after all.
type failure func() error

// WithErrorHandler calls f with each *IndexError and *MutationError: after the write that
// caused it, which waits for f, under no lock. A nil f is not called.
func WithErrorHandler(f func(error)) Option {
	return func(o *options) { o.reports.add(f) }
}

// add adds a handler, unless it is nil; the function that it returns removes it.
func (r *reports) add(f func(error)) (remove func()) {
	if f == nil {
		return func() {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handlers = append(r.handlers[:len(r.handlers):len(r.handlers)], &f)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.handlers = slices.DeleteFunc(slices.Clone(r.handlers), func(have *func(error)) bool { return have == &f })
	}
}

func (r *reports) report(err error) {
	r.mu.Lock()
	handlers, panics := r.handlers, r.panics
	r.mu.Unlock()
	for _, f := range handlers {
		(*f)(err)
	}
	if mutation := (*MutationError)(nil); panics && len(handlers) == 0 && errors.As(err, &mutation) {
		panic(err) //nolint:forbidigo // asked for by the environment of a test
	}
}
