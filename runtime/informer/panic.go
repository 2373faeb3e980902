// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// PanicError reports a handler that panicked. The call counts as made.
type PanicError struct {
	Handler string // its name, if it has one
	Value   any    // what it panicked with
	Place   string // where, as "file.go:12"; empty if that is not known
	Stack   []byte // of the goroutine, as package runtime/debug formats it
}

// panicError reports that the handler of that name has panicked with value. It is
// called by the deferred function that has recovered, while the stack still shows what
// panicked.
func panicError(handler string, value any) *PanicError {
	return &PanicError{Handler: handler, Value: value, Place: panicPlace(), Stack: debug.Stack()}
}

// Error says what the handler panicked with, and where; Stack says how it came there.
func (e *PanicError) Error() string {
	text := fmt.Sprintf("handler %spanicked: %v", spaced(e.Handler), e.Value)
	if e.Place != "" {
		text += " (" + e.Place + ")"
	}
	return text
}

// Unwrap returns the panic's value if it is an error, and otherwise nil.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// panicPlace is the innermost call on a panicking goroutine that is not the Go
// runtime's, as that of a nil pointer, an index or a map is.
func panicPlace() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	for panicking := false; ; {
		frame, more := frames.Next()
		foreign := !strings.HasPrefix(frame.Function, "runtime.") && !strings.HasPrefix(frame.Function, "internal/runtime/")
		if panicking && foreign && frame.File != "" {
			return fmt.Sprintf("%s:%d", filepath.Base(frame.File), frame.Line)
		}
		panicking = panicking || frame.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
