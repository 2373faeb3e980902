// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"bytes"
	"errors"
	"runtime"
	"strconv"
	"sync/atomic"
)

// ErrOwnCall is what a handler gets that waits, in its own call, for its own calls to
// end. It would wait for ever.
var ErrOwnCall = errors.New("a handler cannot wait in its own call for its calls to end: use Remove, or wait on another goroutine")

// goroutine is the one that makes a handler's calls, by its number in stack traces. The
// language hides it, since programs have been known to keep state by it. Here it serves
// to make an error of a deadlock, on a path that is about to block, and nothing else.
type goroutine struct{ id atomic.Uint64 }

// enter notes that the current goroutine makes the calls, until leave.
func (g *goroutine) enter() { g.id.Store(currentGoroutine()) }
func (g *goroutine) leave() { g.id.Store(0) }

// isCurrent reports whether the caller is in one of the calls.
func (g *goroutine) isCurrent() bool {
	id := g.id.Load()
	return id != 0 && id == currentGoroutine()
}

// currentGoroutine returns the number of the goroutine that calls it, 0 if it cannot be
// read.
func currentGoroutine() uint64 {
	var buf [64]byte
	text, _ := bytes.CutPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	digits, _, _ := bytes.Cut(text, []byte(" "))
	id, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0
	}
	return id
}
