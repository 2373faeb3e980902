// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
)

// name wraps err in an *Error of the informer.
func (i *Informer[T]) name(err error) error { return i.nameOf("", err) }

// nameOf is name for an error of a source.
func (i *Informer[T]) nameOf(source string, err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Source: source, Err: err}
}

// report makes err the last error, notifies the error handler, and returns err as an *Error.
func (i *Informer[T]) report(err error) error { return i.reportOf(nil, err) }

// reportOf is report for an error of s; nil means all sources.
func (i *Informer[T]) reportOf(s *Source[T], err error) error {
	e := &Error{Resource: i.resource, Name: i.opts.name, Err: err}
	index := indexOf(err)
	i.mu.Lock()
	if index != "" {
		i.indexErrors[index]++
	}
	if s != nil {
		e.Source = s.name
		s.lastError = e
	}
	i.lastError = e
	i.mu.Unlock()
	if s != nil {
		s.log.failed(err)
	} else {
		i.log.failed(err)
	}
	i.handle(e)
	return e
}

// handle calls the error handler.
func (i *Informer[T]) handle(e error) {
	if i.opts.errorHandler != nil {
		i.opts.errorHandler(e)
	}
}

// reportShortLived reports a run whose context reached its deadline before the informer had
// synced. LastError stays the error of the source, which this error includes.
func (i *Informer[T]) reportShortLived(ctx context.Context) {
	if i.HasSynced() || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	err := fmt.Errorf("%w: %w", ErrShortLived, i.waitError(context.Cause(ctx)))
	i.log.failed(err)
	i.handle(i.name(err))
}

// tell is report without a result.
func (i *Informer[T]) tell(err error) { _ = i.report(err) }

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

// Error names the handler and the value of the panic.
func (e *PanicError) Error() string {
	return fmt.Sprintf("handler %spanicked: %v", spaced(e.Handler), e.Value)
}

// Unwrap returns the value of the panic if it is an error, or nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}
