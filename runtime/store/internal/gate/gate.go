// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gate has a spinning readers-writer lock for very short sections.
package gate

import (
	"runtime"
	"sync/atomic"
)

// Gate is a spinning readers-writer lock for sections of a few hundred nanoseconds, or some
// microseconds for large batches and for stores with many streams. Nothing blocks and no foreign
// code runs inside. Another lock must serialize the writers. A waiting writer lets no new reader
// in.
//
// A goroutine that waits spins for about as long as a section takes, and then yields. Parking and
// waking it would cost more than the section. It never sleeps, so that a bubble of
// testing/synctest does not take it for blocked. The zero value is open.
type Gate struct {
	// The number of readers inside, plus closed while a writer is inside or waits.
	state atomic.Int32
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
		g.state.Add(-1)
		for ; g.state.Load() >= closed; turn++ {
			wait(turn)
		}
		if g.state.Add(1) < closed {
			return
		}
	}
}

// RUnlock leaves as a reader.
func (g *Gate) RUnlock() { g.state.Add(-1) }

// Lock enters as the writer.
func (g *Gate) Lock() {
	g.state.Add(closed)
	for turn := 0; g.state.Load() != closed; turn++ {
		wait(turn)
	}
}

// Unlock leaves as the writer.
func (g *Gate) Unlock() { g.state.Add(-closed) }

// wait spins in the first turns and then yields.
func wait(turn int) {
	if turn < 50 {
		spin()
	} else {
		runtime.Gosched()
	}
}

//go:noinline
func spin() {
	for range 40 {
	}
}
