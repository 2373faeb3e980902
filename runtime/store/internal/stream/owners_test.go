// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"math/rand/v2"
	"testing"
)

// Owners agrees with a map of sets after random operations.
func TestAgainstMap(t *testing.T) {
	const slots, streams = 6, 4
	rng := rand.New(rand.NewPCG(1, 2))
	var o Owners
	want := map[uint32]map[uint32]bool{}
	for slot := range uint32(slots) {
		want[slot] = map[uint32]bool{0: true}
	}
	for range 20000 {
		slot, stream := rng.Uint32N(slots), rng.Uint32N(streams)
		others := len(want[slot])
		if want[slot][stream] {
			others--
		}
		switch rng.IntN(4) {
		case 0:
			o.Set(slot, stream)
			want[slot] = map[uint32]bool{stream: true}
		case 1:
			if got := o.Add(slot, stream); got != (others > 0) {
				t.Fatalf("Add says shared: %v, with %d others", got, others)
			}
			want[slot][stream] = true
		case 2:
			if got := o.Remove(slot, stream); got != (others > 0) {
				t.Fatalf("Remove says shared: %v, with %d others", got, others)
			}
			if others > 0 {
				delete(want[slot], stream)
			}
		case 3:
			live, to := []uint32{}, make([]uint32, slots)
			moved := map[uint32]map[uint32]bool{}
			for from := range uint32(slots) {
				to[from] = (from + 1) % slots
				live = append(live, from)
				moved[to[from]] = want[from]
			}
			o.Renumber(live, to)
			want = moved
		}
		shared := 0
		for slot, owners := range want {
			for stream := range uint32(streams) {
				if o.Has(slot, stream) != owners[stream] {
					t.Fatalf("slot %d has stream %d: %v", slot, stream, !owners[stream])
				}
			}
			if len(owners) > 1 {
				shared++
			}
		}
		if len(o.more) != shared {
			t.Fatalf("%d slots are shared, want %d", len(o.more), shared)
		}
	}
}
