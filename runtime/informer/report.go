// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// name wraps err in an *Error of the informer.
func (i *Informer[T]) name(err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Err: err}
}

// tell makes err the last error and notifies the error handler.
func (i *Informer[T]) tell(err error) { i.tellOf(nil, err) }

// tellOf is tell for an error of s; nil means all sources.
func (i *Informer[T]) tellOf(s *Stream[T], err error) {
	e, log := &Error{Resource: i.resource, Name: i.opts.name, Err: err}, i.log
	i.mu.Lock()
	if s != nil {
		e.Source, log = s.name, s.log
		s.lastError = e
	}
	i.lastError = e
	if failed := (*store.IndexError)(nil); errors.As(err, &failed) {
		i.indexErrors[failed.Index]++
	}
	i.mu.Unlock()
	log.failed(err)
	if i.opts.errorHandler != nil {
		i.opts.errorHandler(e)
	}
}

// LastError returns the last error of the informer as an *Error, or nil. It is kept when the
// informer recovers. A *reflector.Error that it wraps has the time.
func (i *Informer[T]) LastError() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lastError
}

// PanicError is reported if a handler panics. The call counts as made.
type PanicError struct {
	Handler string // its name, if it has one
	Value   any    // the argument of panic
	Stack   []byte // of the goroutine, as formatted by package runtime/debug
}

// panicError must be called by the deferred function that recovers: the stack still includes
// the panic then.
func panicError(handler string, value any) *PanicError {
	return &PanicError{Handler: handler, Value: value, Stack: debug.Stack()}
}

// Error names the handler and the value of the panic.
func (e *PanicError) Error() string {
	return fmt.Sprintf("handler %spanicked: %v", spaced(e.Handler), e.Value)
}

// Unwrap returns the value of the panic if it is an error, or nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
