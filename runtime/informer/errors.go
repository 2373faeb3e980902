// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	// ErrNoSource is returned by Run if the informer has no source.
	ErrNoSource = errors.New("the informer has no source: pass one to New, " +
		"or set its field of InformerSources")
	// ErrRunning is returned by Run if the informer is running.
	ErrRunning = errors.New("the informer is already running")
	// ErrNotStarted is the last error of an informer that was never run.
	ErrNotStarted = errors.New("the informer was not started; call Run, or Start of its factory")
	// ErrStopped is returned by waits for an informer that stops before it has synced, and by
	// waits for an informer or its store if its factory is shut down or releases it.
	ErrStopped = errors.New("the informer was stopped")
	// ErrRemoved is returned by WaitForSync of a handler that is removed before it has synced.
	ErrRemoved = errors.New("the handler was removed")
	// ErrShutdown is returned by WaitForSync of a factory that was shut down.
	ErrShutdown = errors.New("the factory was shut down")
)

// errDeadlineBeforeSync is reported if the context of a run reaches its deadline before the informer has
// synced.
var errDeadlineBeforeSync = errors.New("the context of Run or Start reached its deadline before the first list " +
	"was in the store: pass a context that lasts as long as the informer, and a deadline to WaitForSync")

// Error is an error of one informer.
type Error struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // of the part of the source, such as a namespace, if it has parts
	Err      error
}

// Error names the informer and, if its source has parts, the part.
func (e *Error) Error() string {
	return "informer of " + health.Informer(e.Resource, e.Name, e.Source) + ": " + e.Err.Error()
}

// Unwrap returns the error without the informer's name.
func (e *Error) Unwrap() error { return e.Err }

// unwrapInformerError returns err without its *Error.
func unwrapInformerError(err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own.Err
	}
	return err
}

// PanicError is reported if a handler panics. The call counts as made.
type PanicError struct {
	Handler string // its name, if it has one
	Value   any    // the argument of panic
	Stack   []byte // of the goroutine, as formatted by package runtime/debug
}

// Error names the handler and the value of the panic.
func (e *PanicError) Error() string {
	name := "handler"
	if e.Handler != "" {
		name += " " + e.Handler
	}
	return fmt.Sprintf("%s panicked: %v", name, e.Value)
}

// Unwrap returns the value of the panic if it is an error, or nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// wrapError wraps err in an *Error of the informer.
func (i *Informer[T]) wrapError(err error) error {
	return &Error{Resource: i.resource, Name: i.opts.name, Err: err}
}

// wrapAndReport makes err the last error, of p unless that is nil, and notifies the error handler. It returns
// err as an *Error.
func (i *Informer[T]) wrapAndReport(p *part[T], err error) error {
	e := &Error{Resource: i.resource, Name: i.opts.name, Err: err}
	log := i.log
	var failed *store.IndexError
	isIndex := errors.As(err, &failed)
	i.mu.Lock()
	if isIndex {
		i.indexErrors[failed.Index]++
	}
	if p != nil {
		e.Source, p.lastError, log = p.name, e, p.log
	}
	i.lastError = e
	i.mu.Unlock()
	i.notify(log, e)
	return e
}

// notify logs e and calls the error handler.
func (i *Informer[T]) notify(log *health.Log, e error) {
	var stack []byte
	if p := (*PanicError)(nil); errors.As(e, &p) {
		stack = p.Stack
	}
	log.Failed(unwrapInformerError(e), stack)
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
