// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Holders agrees with a map of sets after random operations.
func TestAgainstMap(t *testing.T) {
	const slots, parts = 6, 4
	rng := rand.New(rand.NewPCG(1, 2))
	var o Holders
	want := map[uint32]map[uint32]bool{}
	for slot := range uint32(slots) {
		want[slot] = map[uint32]bool{0: true}
	}
	for range 20000 {
		slot, part := rng.Uint32N(slots), rng.Uint32N(parts)
		others := len(want[slot])
		if want[slot][part] {
			others--
		}
		switch rng.IntN(3) {
		case 0:
			o.Set(slot, part)
			want[slot] = map[uint32]bool{part: true}
		case 1:
			if got := o.Add(slot, part); got != (others > 0) {
				t.Fatalf("Add says shared: %v, with %d others", got, others)
			}
			want[slot][part] = true
		case 2:
			if got := o.Remove(slot, part); got != (others > 0) {
				t.Fatalf("Remove says shared: %v, with %d others", got, others)
			}
			if others > 0 {
				delete(want[slot], part)
			}
		}
		shared := 0
		for slot, holders := range want {
			for part := range uint32(parts) {
				if o.Has(slot, part) != holders[part] {
					t.Fatalf("slot %d has part %d: %v", slot, part, !holders[part])
				}
			}
			if len(holders) > 1 {
				shared++
			}
		}
		if len(o.otherHolders) != shared {
			t.Fatalf("%d slots are shared, want %d", len(o.otherHolders), shared)
		}
	}
}

// Slots without a part take no memory, and shared ones none when they are no longer shared.
func TestOwnersTakeLittleMemory(t *testing.T) {
	var o Holders
	for slot := range uint32(10) {
		o.Set(slot, 0)
	}
	if len(o.oneHolderBySlot) > 0 {
		t.Errorf("%d slots without a part are kept", len(o.oneHolderBySlot))
	}
	for slot := range uint32(10) {
		o.Set(slot, 1)
		o.Add(slot, 2)
	}
	for slot := range uint32(10) {
		o.Remove(slot, 1)
	}
	if o.otherHolders != nil {
		t.Error("the map of shared slots is kept")
	}
}

// Parts have different numbers, which do not change and are reused.
func TestNumbersAgainstMap(t *testing.T) {
	const names = 12
	rng := rand.New(rand.NewPCG(1, 2))
	var o Holders
	numbers := map[string]uint32{}
	for range 5000 {
		part := fmt.Sprint("part-", rng.IntN(names))
		was, known := numbers[part]
		if known && rng.IntN(2) == 0 {
			o.End(part)
			delete(numbers, part)
			continue
		}
		id := o.ID(part)
		if known && id != was {
			t.Fatalf("part %q has number %d, want %d", part, id, was)
		}
		if id == 0 || id > names {
			t.Fatalf("part %q has number %d", part, id)
		}
		numbers[part] = id
		taken := map[uint32]string{}
		for other, id := range numbers {
			if taken[id] != "" {
				t.Fatalf("%q and %q have number %d", other, taken[id], id)
			}
			taken[id] = other
		}
	}
}

// A new part gets the number of one that has ended.
func TestNumbersAreReused(t *testing.T) {
	var o Holders
	a := o.ID("a")
	o.End("a")
	if b, c := o.ID("b"), o.ID("c"); b != a || c == 0 || c == a {
		t.Errorf("after number %d has ended, b has %d and c has %d", a, b, c)
	}
}
