// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"errors"
	"slices"
	"sync"
)

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
