// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package query

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// A version has objects in some of its slots. Each object is the number of its slot.
type version struct {
	table.Table[uint32, uint32]
	live []uint32
}

// newVersion returns a version with objects in the slots below n that has accepts.
func newVersion(n uint32, has func(slot uint32) bool) *version {
	v := &version{}
	v.Keys = table.NewKeys(func(slot uint32) uint32 { return slot }, true)
	for slot := range n {
		if has(slot) {
			v.Insert(1, slot, v.Hash(slot), slot, slot)
			v.live = append(v.live, slot)
		}
	}
	return v
}

func postingOf(slots ...uint32) *posting.Posting {
	p := &posting.Posting{}
	for _, slot := range slots {
		p.Add(1, slot)
	}
	return p
}

// A sample is a set and what it must have.
type sample struct {
	set  Set
	want map[uint32]bool
}

// sampler returns random sets of the slots of a version.
type sampler struct {
	*rand.Rand
	*version
}

func (r sampler) posting() sample {
	var slots []uint32
	want, share := map[uint32]bool{}, r.IntN(100)
	for _, slot := range r.live {
		if r.IntN(100) < share {
			slots, want[slot] = append(slots, slot), true
		}
	}
	return sample{postingOf(slots...), want}
}

// masked returns the slots of the version without some of them.
func (r sampler) masked() sample {
	s := Live[uint32, uint32]{Slots: &r.Vector, N: len(r.live)}
	want := map[uint32]bool{}
	for _, slot := range r.live {
		want[slot] = true
	}
	if r.IntN(2) == 0 {
		s.Without = make([]uint32, r.Chunks())
		for i := range s.Without {
			s.Without[i] = r.Uint32()
		}
		for _, slot := range r.live {
			if s.Without[slot/table.ChunkSize]>>(slot%table.ChunkSize)&1 != 0 {
				delete(want, slot)
			}
		}
	}
	return sample{s, want}
}

// some returns n sets, and the number of them that have each slot.
func (r sampler) some(n, depth int) (sets []Set, in map[uint32]int) {
	in = map[uint32]int{}
	for range n {
		set := r.sample(depth)
		sets = append(sets, set.set)
		for slot, has := range set.want {
			if has {
				in[slot]++
			}
		}
	}
	return sets, in
}

// sample returns a set of operations that are nested depth times.
func (r sampler) sample(depth int) sample {
	if depth == 0 {
		if r.IntN(4) == 0 {
			return r.masked()
		}
		return r.posting()
	}
	want := map[uint32]bool{}
	switch r.IntN(5) {
	case 0:
		sets, in := r.some(1+r.IntN(3), depth-1)
		for slot, n := range in {
			want[slot] = n == len(sets)
		}
		return sample{Intersection(sets), want}
	case 1:
		sets, in := r.some(1+r.IntN(manySets+2), depth-1)
		for slot := range in {
			want[slot] = true
		}
		return sample{Union(sets), want}
	case 2:
		return r.disjoint()
	default:
		from, what := r.sample(depth-1), r.sample(depth-1)
		for slot, has := range from.want {
			want[slot] = has && !what.want[slot]
		}
		return sample{&Difference{from.set, what.set}, want}
	}
}

func (r sampler) disjoint() sample {
	all := r.posting()
	parts := make([]*posting.Posting, 1+r.IntN(6))
	sets := make(Disjoint, len(parts))
	for i := range parts {
		parts[i] = &posting.Posting{}
		sets[i] = parts[i]
	}
	for slot := range all.want {
		parts[r.IntN(len(parts))].Add(1, slot)
	}
	return sample{sets, all.want}
}

// Operations on sets, and what is gathered from them, agree with maps.
func TestSetsAgainstMap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	v := newVersion(700, func(slot uint32) bool { return slot%3 > 0 && (slot < 300 || slot > 400) })
	for range 300 {
		s := sampler{rng, v}.sample(rng.IntN(5))
		var want []uint32
		for _, slot := range v.live {
			if s.want[slot] {
				want = append(want, slot)
			}
			if s.set.Has(slot) != s.want[slot] {
				t.Fatalf("%T has slot %d: %v", s.set, slot, !s.want[slot])
			}
		}
		if s.set.AtMost() < len(want) {
			t.Fatalf("%T of %d slots has at most %d", s.set, len(want), s.set.AtMost())
		}
		got := gatherOneByOne(s.set)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%T yields %v, want %v", s.set, got, want)
		}
		got = Gather([]uint32{77}, s.set)
		slices.Sort(got[1:])
		if got[0] != 77 || !slices.Equal(got[1:], want) {
			t.Fatalf("of %T are gathered %v, want %v", s.set, got, want)
		}
		stop, n := rng.IntN(len(want)+1), 0
		whole := s.set.Each(func(uint32) bool { n++; return n <= stop })
		if n != min(stop+1, len(want)) || whole != (stop == len(want)) {
			t.Fatalf("%T yields %d of %d slots and stops: %v, want %d", s.set, n, len(want), !whole, stop+1)
		}
	}
}

// Runs have every object of a set once, in order, and have no empty slice but the last.
func TestRuns(t *testing.T) {
	every := func(uint32) bool { return true }
	holes := func(slot uint32) bool { return slot%5 > 0 && slot/table.ChunkSize%3 > 0 || slot > 9000 }
	for _, n := range []uint32{0, 1, RunSize - 1, RunSize, RunSize + 1, 300, 5000, 9100} {
		for _, has := range []func(uint32) bool{every, holes} {
			v := newVersion(n, has)
			var all, some Run[uint32, uint32]
			checkRuns(t, all.OfAll(&v.Vector), all.Next, v.live)
			checkRuns(t, some.OfPosting(&v.Vector, postingOf(v.live...)), some.Next, v.live)
		}
	}
}

func checkRuns(t *testing.T, run []uint32, next func() []uint32, want []uint32) {
	t.Helper()
	var got []uint32
	for len(run) > 0 {
		if len(run) > RunSize {
			t.Errorf("a run has %d objects", len(run))
		}
		got = append(got, run...)
		run = next()
	}
	if !slices.Equal(got, want) {
		t.Errorf("runs have %d objects, want %d", len(got), len(want))
	}
}

// A loop over a posting of one run holds no version.
func TestShortRunHoldsNoVersion(t *testing.T) {
	v := newVersion(RunSize+1, func(uint32) bool { return true })
	for _, n := range []int{RunSize, RunSize + 1} {
		var run Run[uint32, uint32]
		run.OfPosting(&v.Vector, postingOf(v.live[:n]...))
		if holds := run.vector != nil; holds != (n > RunSize) {
			t.Errorf("a run of %d objects holds its version: %v", n, holds)
		}
	}
}
