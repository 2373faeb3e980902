// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"bytes"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/indexer-gen/indexer-gen/examples/apiserver/internal/tail"
)

const (
	// patience is how long a build may take before it is announced.
	patience = 2 * time.Second
	// reportEvery is the time between reports on an announced build.
	reportEvery = 15 * time.Second
)

// announcement tells people about a build that takes longer than patience. It
// is written to what go build -v prints.
type announcement struct {
	title string
	start time.Time

	mu       sync.Mutex
	w        io.Writer
	timer    *time.Timer
	reported bool
	ended    bool
	packages int
	messages tail.Writer // of the compiler
}

// announce begins an announcement to w, which may be nil. The caller calls end.
func announce(w io.Writer, title, duration string) *announcement {
	if w == nil {
		w = io.Discard
	}
	a := &announcement{w: w, title: title, start: time.Now()}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.timer = time.AfterFunc(patience, func() {
		a.report("building %s (the first time takes %s)\n", a.title, duration)
	})
	return a
}

// Write counts the packages that have been compiled, and keeps messages.
func (a *announcement) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for line := range bytes.Lines(p) {
		if bytes.ContainsRune(line, ' ') {
			_, _ = a.messages.Write(line) // it cannot fail
		} else {
			a.packages++
		}
	}
	return len(p), nil
}

// report writes a line unless the build has ended, and arranges for the next.
func (a *announcement) report(format string, args ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	a.reported = true
	fmt.Fprintf(a.w, format, args...) // nobody needs to know if this fails
	a.timer = time.AfterFunc(reportEvery, func() {
		a.mu.Lock()
		packages := a.packages
		a.mu.Unlock()
		a.report("building %s: %d packages compiled in %v\n", a.title, packages, a.elapsed())
	})
}

// end ends the announcement. Nothing is written afterward.
func (a *announcement) end(succeeded bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.timer.Stop()
	if a.reported && succeeded {
		fmt.Fprintf(a.w, "built %s in %v\n", a.title, a.elapsed())
	}
}

func (a *announcement) elapsed() time.Duration { return time.Since(a.start).Round(time.Second) }
