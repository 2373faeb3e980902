// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"context"
	"errors"
	"fmt"
)

// name wraps err in an *Error that names the informer.
func (i *Informer[T]) name(err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Err: err}
}

// report names the informer in err, keeps it for LastError, tells the error handler, and
// returns it.
func (i *Informer[T]) report(err error) error { return i.reportOf(nil, err) }

// reportOf is report of an error of one source, or of all if s is nil.
func (i *Informer[T]) reportOf(s *Stream[T], err error) error {
	e := &Error{Resource: i.resource, Name: i.opts.name, Err: err}
	i.mu.Lock()
	if s != nil {
		e.Source = s.name
		s.lastError = e
	}
	i.lastError = e
	i.mu.Unlock()
	i.insight.failed(err)
	i.journalFor(s).failed(err)
	i.handle(e)
	return e
}

// handle has the error handler told of e.
func (i *Informer[T]) handle(e error) {
	if i.opts.errorHandler != nil {
		i.opts.errorHandler(e)
	}
}

// complain says so if a run that had a deadline was of no use. It is not the last error: what
// was wrong with the source is of more interest, and part of this one.
func (i *Informer[T]) complain(ctx context.Context) {
	if i.HasSynced() || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	err := fmt.Errorf("%w: %w", ErrShortLived, i.syncError(context.Cause(ctx)))
	i.journal.failed(err)
	i.handle(i.name(err))
}

// tell is report for those who have no use for its result.
func (i *Informer[T]) tell(err error) { _ = i.report(err) }

// LastError returns the last error of the informer, an *Error, or nil if there was
// none. It stays after the informer has recovered; a *reflector.Error within tells
// when it was.
func (i *Informer[T]) LastError() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.lastError
}
