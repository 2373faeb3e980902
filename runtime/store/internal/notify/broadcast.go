// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package notify wakes goroutines that wait for a store to change.
package notify

import (
	"sync"
	"sync/atomic"
)

// Broadcast wakes all that wait for the next change. It costs a writer one
// load when nobody does.
type Broadcast struct {
	waiting atomic.Int64
	mu      sync.Mutex
	ch      chan struct{}
}

// Join and Leave enclose a wait.
func (b *Broadcast) Join()  { b.waiting.Add(1) }
func (b *Broadcast) Leave() { b.waiting.Add(-1) }

// Next returns a channel that is closed at the next change.
func (b *Broadcast) Next() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

// Wake wakes all.
func (b *Broadcast) Wake() {
	if b.waiting.Load() == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
