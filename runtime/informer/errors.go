// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/informer/internal/health"
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
	// ErrSourceExists is returned by AddSource if the informer has a source of that name.
	ErrSourceExists = errors.New("the informer has a source of that name; Remove waits until it is gone")
	// ErrRemoved is returned by WaitForSync of a handler that is removed before it has synced.
	ErrRemoved = errors.New("the handler was removed")
	// ErrShutdown is returned by WaitForSync of a factory that was shut down.
	ErrShutdown = errors.New("the factory was shut down")
)

// ErrShortLived is reported if the context of a run reaches its deadline before the informer has
// synced.
var ErrShortLived = errors.New("the context of Run or Start reached its deadline before the first list " +
	"was in the store: pass a context that lasts as long as the informer, and a deadline to WaitForSync")

// Error is an error of one informer.
type Error struct {
	Resource schema.GroupVersionResource
	Name     string // of the informer, if it has one
	Source   string // of the source, if it has one
	Err      error
}

// Error names the informer and, if it has several, the source.
func (e *Error) Error() string {
	return "informer of " + health.Informer(e.Resource, e.Name, e.Source) + ": " + e.Err.Error()
}

// Unwrap returns the error without the informer's name.
func (e *Error) Unwrap() error { return e.Err }

// unnamed returns err without its *Error.
func unnamed(err error) error {
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

// ShutdownError is returned if a context ends before the informers have.
type ShutdownError struct {
	Err     error // the cause of the context
	Hanging []Hanging
}

// Hanging is a call that keeps an informer from ending.
type Hanging struct {
	Informer string // its resource and name
	// Handler is the name of the handler that is being called, or else its type. It is empty
	// if no handler is: then the source or the error handler has not returned.
	Handler string
	Lasting time.Duration // of the call; 0 if unknown
}

// Error names each informer that has not ended, and the handler that it waits for.
func (e *ShutdownError) Error() string {
	text := []string{e.Err.Error()}
	for _, h := range e.Hanging {
		text = append(text, h.text())
	}
	return strings.Join(text, "; ")
}

// Unwrap returns the cause of the context.
func (e *ShutdownError) Unwrap() error { return e.Err }

// text names the informer and the handler that it waits for.
func (h Hanging) text() string {
	text := "informer of " + h.Informer + " has not ended: "
	if h.Handler == "" {
		return text + "no handler is being called; its source or error handler has yet to return"
	}
	lasting := h.Lasting.Round(time.Millisecond)
	return fmt.Sprintf("%shandler %s has been in a call for %v", text, h.Handler, lasting)
}
