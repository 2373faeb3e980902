// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package inplace

import (
	"maps"
	"math/rand/v2"
	"testing"
)

// Writes finds, adds and drops pending writes like a map.
func TestExchangesAgainstMap(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var e Writes[string, int]
		for range 3 {
			want := map[uint32]int{}
			for i := range 2000 {
				slot := rng.Uint32N(1 << (4 + seed%10))
				x := e.Find(slot)
				switch had, ok := want[slot]; {
				case ok != (x != nil) || ok && x.Obj != had:
					t.Fatalf("seed %d: slot %d is to hold %v, want %d, %v", seed, slot, x, had, ok)
				case rng.IntN(5) == 0:
					e.Drop(slot)
					delete(want, slot)
				case ok:
					x.Obj, want[slot] = i, i
				case len(e.list) < Max:
					e.Add(slot, "", i)
					want[slot] = i
				}
			}
			got := map[uint32]int{}
			for _, x := range e.list {
				if !x.dead {
					got[x.slot] = x.Obj
				}
			}
			if !maps.Equal(got, want) {
				t.Fatalf("seed %d: %v are left, want %v", seed, got, want)
			}
			e.Reset()
			if e.heads != [256]uint16{} || len(e.list) > 0 {
				t.Fatalf("seed %d: something is left after all are forgotten", seed)
			}
		}
	}
}

// Find takes a few steps for any distribution of slots.
func TestExchangesAreFoundInAFewSteps(t *testing.T) {
	for _, stride := range []uint32{1, 2, 64, 100, 256, 4096} {
		var e Writes[string, int]
		for i := range uint32(Max) {
			e.Add(i*stride, "", 0)
		}
		for at := range e.heads {
			steps := 0
			for i := e.heads[at]; i > 0; i = e.list[i-1].next {
				steps++
			}
			if steps > 16 {
				t.Errorf("slots %d apart: %d hash alike", stride, steps)
			}
		}
	}
}
