// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gate has a spinning readers-writer lock for very short sections.
package gate

import (
	"sync"
	"sync/atomic"
)

// Gate is a spinning readers-writer lock for sections of a few hundred nanoseconds, or some
// microseconds for large batches and for stores with many streams. No foreign code runs inside.
// Another lock must serialize the writers. A waiting writer lets no new reader in.
//
// A goroutine that waits spins for about as long as a section takes, because parking and waking it
// would cost more. Then it parks: whom it waits for has lost its processor. It waits for mutexes only,
// so a bubble of testing/synctest does not take it for blocked. The zero value is open.
type Gate struct {
	// state is the number of readers inside, plus closed while a writer is inside or waits.
	state atomic.Int32
	// parked is set while the writer waits for empty.
	parked atomic.Bool
	// open is held by the writer. Readers park on it.
	open sync.Mutex
	// empty is locked by a writer that parks, and unlocked by the last reader.
	empty sync.Mutex
}

const closed = 1 << 30

// RLock enters as a reader.
func (g *Gate) RLock() {
	if g.state.Add(1) >= closed {
		g.waitOpen()
	}
}

func (g *Gate) waitOpen() {
	for turn := 0; ; turn++ {
		g.RUnlock()
		for ; g.state.Load() >= closed; turn++ {
			if turn < mostSpins {
				spin()
				continue
			}
			g.open.Lock()
			g.open.Unlock() //nolint:staticcheck // the writer has left
		}
		if g.state.Add(1) < closed {
			return
		}
	}
}

// RUnlock leaves as a reader.
func (g *Gate) RUnlock() {
	if g.state.Add(-1) == closed {
		g.wake()
	}
}

// wake continues a writer that is parked. The last reader calls it.
func (g *Gate) wake() {
	if g.parked.CompareAndSwap(true, false) {
		g.empty.Unlock()
	}
}

// Lock enters as the writer.
func (g *Gate) Lock() {
	g.open.Lock()
	g.state.Add(closed)
	for turn := 0; g.state.Load() != closed; turn++ {
		if turn < mostSpins {
			spin()
			continue
		}
		g.empty.Lock()
		g.parked.Store(true)
		if g.state.Load() == closed { // the last reader may not have seen that the writer parks
			g.wake()
		}
		g.empty.Lock()   // until wake
		g.empty.Unlock() //nolint:staticcheck // for the next time
	}
}

// Unlock leaves as the writer.
func (g *Gate) Unlock() {
	g.state.Add(-closed)
	g.open.Unlock()
}

// mostSpins takes some microseconds.
const mostSpins = 50

//go:noinline
func spin() {
	for range 40 {
	}
}
