// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package posting

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPostingAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, span := range []int{40, 2000} {
		type frozen struct {
			p    Posting
			want []uint32
		}
		var (
			p     Posting
			model = map[uint32]bool{}
			old   []frozen
			owner uint64
		)
		sorted := func() []uint32 {
			want := make([]uint32, 0, len(model))
			for s := range model {
				want = append(want, s)
			}
			slices.Sort(want)
			return want
		}
		for i := range 30000 {
			slot := uint32(rng.IntN(span))
			// Grow, then shrink, so that arrays become blocks and blocks arrays.
			if rng.IntN(100) < 99 == (i%20000 < 10000) {
				if got := p.Add(owner, slot); got == model[slot] {
					t.Fatalf("add(%d) = %v", slot, got)
				}
				model[slot] = true
			} else {
				if got := p.Remove(owner, slot); got != model[slot] {
					t.Fatalf("remove(%d) = %v", slot, got)
				}
				delete(model, slot)
				if p.blocks != nil && p.blocks.slotCount <= smallPosting/2 || p.blocks == nil && len(p.array) < cap(p.array)/4 {
					t.Fatalf("%d slots take an array of %d, and blocks: %v", p.Len(), cap(p.array), p.blocks != nil)
				}
			}
			if p.blocks != nil && p.array != nil {
				t.Fatal("a posting in blocks still has its array")
			}
			if p.Has(slot) != model[slot] {
				t.Fatalf("has(%d) = %v", slot, p.Has(slot))
			}
			if rng.IntN(1500) == 0 {
				old = append(old, frozen{p, sorted()})
				p = p.Clone(i % 2)
				owner++
			}
		}
		for _, f := range append(old, frozen{p, sorted()}) {
			var got []uint32
			f.p.Each(func(s uint32) bool { got = append(got, s); return true })
			if !slices.Equal(got, f.want) || f.p.Len() != len(f.want) {
				t.Errorf("span %d: posting of %d slots differs from its %d", span, len(got), len(f.want))
			}
		}
	}
}

func TestMarkAgainstHas(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 100, smallPosting, 2000} {
		var p Posting
		for range n {
			p.Add(0, uint32(rng.IntN(2*n)))
		}
		slots, marked := make([]uint32, 300), make([]bool, 300)
		for i := range slots {
			slots[i] = uint32(rng.IntN(2*n + 2))
			marked[i] = i%50 == 0
		}
		slices.Sort(slots[:200]) // the rest comes in no order
		want := slices.Clone(marked)
		for i, slot := range slots {
			want[i] = want[i] || p.Has(slot)
		}
		if p.Mark(marked, slots); !slices.Equal(marked, want) {
			t.Errorf("of a posting of %d slots, Mark does not find what Has finds", p.Len())
		}
	}
}

func TestPostingInOrderFillsItsBlocks(t *testing.T) {
	var p Posting
	for s := range uint32(10 * blockSize) {
		p.Add(0, s)
	}
	if n := len(p.blocks.blocks); n > 11 {
		t.Errorf("%d slots in order take %d blocks", p.Len(), n)
	}
}
