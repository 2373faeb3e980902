// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package gate has a spinning readers-writer lock for very short sections.
package gate

import (
	"runtime"
	"sync/atomic"
)

// gate excludes one writer, whom another lock has let through, from readers, for
// sections of some hundred nanoseconds, of a large batch some microseconds, in which
// nothing blocks and no foreign code runs. Whoever finds it closed tries again for about
// as long as such a section takes, then lets others run: being parked and woken would
// cost both sides more than the section. It never sleeps, which in a bubble of
// testing/synctest would make it look as if nothing were left to do. A writer that waits
// lets no new reader in.
type Gate struct {
	// The readers inside, plus closed while a writer is, or waits to be.
	state atomic.Int32
}

const closed = 1 << 30

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

func (g *Gate) RUnlock() { g.state.Add(-1) }

func (g *Gate) Lock() {
	g.state.Add(closed)
	for turn := 0; g.state.Load() != closed; turn++ {
		wait(turn)
	}
}

func (g *Gate) Unlock() { g.state.Add(-closed) }

// wait passes some time: more if it has gone on for long.
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
