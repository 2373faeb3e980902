// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package tail keeps the end of a log for error messages.
package tail

import (
	"fmt"
	"io"
	"strings"
	"sync"
)

// Size is how many bytes a Writer keeps.
const Size = 2 << 10

// Writer keeps the last Size bytes of its input, and passes all of it on. The
// zero value is ready to use. Its methods may be called concurrently.
type Writer struct {
	Next io.Writer // nil discards

	mu  sync.Mutex
	end []byte
}

// Write never fails if Next is nil.
func (t *Writer) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if excess := len(t.end) - Size; excess > 0 {
		t.end = append(t.end[:0], t.end[excess:]...)
	}
	if t.Next == nil {
		return len(p), nil
	}
	return t.Next.Write(p)
}

// Last returns the last line that was written, if any, as the end of an error.
func (t *Writer) Last() string {
	lines := strings.Split(strings.TrimSpace(t.String()), "\n")
	last := lines[len(lines)-1]
	switch {
	case last == "":
		return ""
	case len(last) > maxLast:
		last = last[:maxLast] + "…"
	}
	return fmt.Sprintf("; it last wrote %q", last)
}

// maxLast is the part of a line that an error quotes.
const maxLast = 300

// String returns the last Size bytes that were written.
func (t *Writer) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}
