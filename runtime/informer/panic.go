// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"runtime/debug"
)

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
