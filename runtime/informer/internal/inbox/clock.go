// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package inbox

import (
	"sync/atomic"
	"time"
)

// Clock measures the time since an informer was created. Reading the time costs more than most of
// the work for a change, so the changes of a batch share one reading. Create it with NewClock.
type Clock struct {
	base time.Time
	last atomic.Int64
}

// NewClock returns a clock that starts now.
func NewClock() *Clock { return &Clock{base: time.Now()} }

// Read returns the time. It is never 0.
func (c *Clock) Read() int64 { return int64(time.Since(c.base)) + 1 }

// Tick stores the current time.
func (c *Clock) Tick() { c.last.Store(c.Read()) }

// Ticked returns the time of the last Tick.
func (c *Clock) Ticked() int64 { return c.last.Load() }
