// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// Positions agrees with a map of resourceVersions after random changes, and a copy keeps what it
// had.
func TestPositionsAgainstMap(t *testing.T) {
	const sources = 3*pageSize + 1
	rng := rand.New(rand.NewPCG(3, 4))
	type state struct {
		positions Positions
		versions  map[string]string
	}
	now := state{versions: map[string]string{}}
	var past []state
	for n := range 5000 {
		id := rng.Uint32N(sources)
		source := fmt.Sprint("source-", id)
		if rng.IntN(8) == 0 {
			now.positions.End(id)
			delete(now.versions, source)
		} else {
			now.versions[source] = fmt.Sprint(n + 1)
			now.positions.Advance(id, source, now.versions[source], false)
		}
		if n%500 == 0 {
			past = append(past, state{now.positions, maps.Clone(now.versions)})
		}
	}
	for i, s := range append(past, now) {
		got := map[string]string{}
		s.positions.each(func(at position) bool {
			got[at.source] = at.resourceVersion
			return true
		})
		if !maps.Equal(got, s.versions) {
			t.Errorf("state %d has %v, want %v", i, got, s.versions)
		}
		for id := range uint32(sources) {
			source := fmt.Sprint("source-", id)
			want := s.versions[source]
			if got := s.positions.ResourceVersion(id); got != want {
				t.Errorf("state %d: %s by number is at %q, want %q", i, source, got, want)
			}
			if got := s.positions.Of(source).ResourceVersion; got != want {
				t.Errorf("state %d: %s is at %q, want %q", i, source, got, want)
			}
		}
	}
}

// A source that begins again is another one, and Epochs tell them apart.
func TestASourceThatBeginsAgainIsAnother(t *testing.T) {
	var p Positions
	p.Advance(1, "a", "10", false)
	first := p.Of("a").Epoch
	p.Advance(1, "a", "11", false)
	if at := p.Of("a"); at.Epoch != first {
		t.Errorf("the Epoch is %+v after a change, want %+v", at.Epoch, first)
	}
	p.End(1)
	p.Begin(1, "a")
	if reached, err := p.Of("a").Reached(first, "1"); reached || err != ErrEnded {
		t.Errorf("reached: %v, %v, want %v", reached, err, ErrEnded)
	}
	p.Advance(1, "a", "5", true)
	second := p.Of("a").Epoch
	p.Advance(1, "a", "4", true)
	if reached, err := p.Of("a").Reached(second, "1"); reached || err != ErrRewound {
		t.Errorf("reached: %v, %v, want %v", reached, err, ErrRewound)
	}
}

// While one source moves on, no page is copied, and copies keep what they had.
func TestMovingOnAllocatesNothing(t *testing.T) {
	var p Positions
	p.Advance(0, "", "1", false)
	p.Advance(20, "a", "1", false)
	before, versions, n := p, []string{"2", "3"}, 0
	if got := testing.AllocsPerRun(100, func() { n++; p.Advance(20, "a", versions[n%2], false) }); got != 0 {
		t.Errorf("%v allocations", got)
	}
	if was, other := before.ResourceVersion(20), p.ResourceVersion(0); was != "1" || other != "1" {
		t.Errorf("the copy is at %q, the other source at %q, want 1", was, other)
	}
}
