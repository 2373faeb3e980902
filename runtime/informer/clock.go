// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync/atomic"
	"time"
)

// clock is the time since an informer was made. Reading a clock is dear beside most of
// what an informer does for a change, so that what comes at once shares one reading.
type clock struct {
	base time.Time
	last atomic.Int64
}

func newClock() *clock { return &clock{base: time.Now()} }

// read returns the time, never 0.
func (c *clock) read() int64 { return int64(time.Since(c.base)) + 1 }

// tick reads the clock for what comes next.
func (c *clock) tick() { c.last.Store(c.read()) }

// ticked returns what the last tick read.
func (c *clock) ticked() int64 { return c.last.Load() }
