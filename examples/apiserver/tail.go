// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"io"
	"sync"
)

// tailSize is how much of its input a tail remembers.
const tailSize = 2 << 10

// tail passes on what is written to it and remembers the end of it. It may be
// used concurrently.
type tail struct {
	next io.Writer // may be nil

	mu  sync.Mutex
	end []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, p...)
	if excess := len(t.end) - tailSize; excess > 0 {
		t.end = append(t.end[:0], t.end[excess:]...)
	}
	if t.next == nil {
		return len(p), nil
	}
	return t.next.Write(p)
}

// String returns the end of what was written.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}
