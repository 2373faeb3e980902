// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package informer

import (
	"sync/atomic"
	"time"
)

// clock measures the time since an informer was created. Reading the time costs more than most of
// the work for a change, so the changes of a batch share one reading.
type clock struct {
	base time.Time
	last atomic.Int64
}

func newClock() *clock { return &clock{base: time.Now()} }

// read returns the time, never 0.
func (c *clock) read() int64 { return int64(time.Since(c.base)) + 1 }

// tick stores the current time.
func (c *clock) tick() { c.last.Store(c.read()) }

// ticked returns the time of the last tick.
func (c *clock) ticked() int64 { return c.last.Load() }
