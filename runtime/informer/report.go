// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// name wraps err in an *Error of the informer.
func (i *Informer[T]) name(err error) error { return i.nameOf("", err) }

// nameOf is name for an error of a source.
func (i *Informer[T]) nameOf(source string, err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Source: source, Err: err}
}

// report makes err the last error, notifies the error handler, and returns err as an *Error.
func (i *Informer[T]) report(err error) error {
	e := i.name(err)
	i.record(e, nil)
	i.notify(i.log, e)
	return e
}

// record makes e the last error, of one source unless s is nil.
func (i *Informer[T]) record(e error, s *Source[T]) {
	var failed *store.IndexError
	isIndex := errors.As(e, &failed)
	i.mu.Lock()
	defer i.mu.Unlock()
	if isIndex {
		i.indexErrors[failed.Index]++
	}
	if s != nil {
		s.lastError = e
	}
	i.lastError = e
}

// notify logs e and calls the error handler.
func (i *Informer[T]) notify(log *health.Log, e error) {
	var stack []byte
	if p := (*PanicError)(nil); errors.As(e, &p) {
		stack = p.Stack
	}
	log.Failed(unnamed(e), stack)
	if i.opts.errorHandler != nil {
		i.opts.errorHandler(e)
	}
}

// tell is report without a result.
func (i *Informer[T]) tell(err error) { _ = i.report(err) }

// tell reports err as an error of the source.
func (s *Source[T]) tell(err error) {
	e := s.informer.nameOf(s.name, err)
	s.informer.record(e, s)
	s.informer.notify(s.log, e)
}

// LastError returns the last error of the informer as an *Error, or nil. It is kept when the
// informer recovers. A *reflector.Error that it wraps has the time.
func (i *Informer[T]) LastError() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lastError
}
