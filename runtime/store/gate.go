// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"runtime"
	"sync/atomic"
	"time"
)

// gate excludes one writer, whom another lock has let through, from readers, for
// sections of some hundred nanoseconds in which nothing blocks and no foreign
// code runs. Whoever finds it closed tries again for about as long as such a
// section takes, then lets others run, and only then sleeps: being parked and
// woken would cost both sides more than the section. A writer that waits lets no
// new reader in.
type gate struct {
	// The readers inside, plus closed while a writer is, or waits to be.
	state atomic.Int32
}

const closed = 1 << 30

func (g *gate) RLock() {
	if g.state.Add(1) >= closed {
		g.waitOpen()
	}
}

func (g *gate) waitOpen() {
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

func (g *gate) RUnlock() { g.state.Add(-1) }

func (g *gate) Lock() {
	g.state.Add(closed)
	for turn := 0; g.state.Load() != closed; turn++ {
		wait(turn)
	}
}

func (g *gate) Unlock() { g.state.Add(-closed) }

// wait passes some time: the more, the longer it has gone on.
func wait(turn int) {
	switch {
	case turn < 50:
		spin()
	case turn < 70:
		runtime.Gosched()
	default:
		time.Sleep(20 * time.Microsecond) //nolint:forbidigo // see gate
	}
}

//go:noinline
func spin() {
	for range 40 {
	}
}
