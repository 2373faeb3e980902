// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package parts

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// Positions agrees with a map of resourceVersions after random changes, and a copy keeps what it had.
func TestPositionsAgainstMap(t *testing.T) {
	const parts = 3*pageSize + 1
	rng := rand.New(rand.NewPCG(3, 4))
	type state struct {
		positions Positions
		versions  map[uint32]string
	}
	now := state{versions: map[uint32]string{}}
	var past []state
	for n := range 5000 {
		id := 1 + rng.Uint32N(parts)
		if rng.IntN(8) == 0 {
			now.positions.End(id)
			delete(now.versions, id)
		} else {
			now.versions[id] = fmt.Sprint(n + 1)
			now.positions.Begin(id, fmt.Sprint("part-", id))
			now.positions.Advance(id, now.versions[id])
		}
		if n%500 == 0 {
			past = append(past, state{now.positions, maps.Clone(now.versions)})
		}
	}
	for i, s := range append(past, now) {
		for id := range uint32(parts + 2) {
			if got := s.positions.ResourceVersion(fmt.Sprint("part-", id)); got != s.versions[id] {
				t.Errorf("state %d: part %d is at %q, want %q", i, id, got, s.versions[id])
			}
		}
	}
}

// of returns positions in parts a, b and so on, at versions.
func namespaceOf(versions ...string) *Positions {
	p := &Positions{}
	p.Divide()
	for i, version := range versions {
		p.Begin(uint32(i)+1, string(rune('a'+i)))
		p.Advance(uint32(i)+1, version)
	}
	return p
}

func TestReached(t *testing.T) {
	var whole, empty Positions
	whole.Advance(0, "10")
	for _, c := range []struct {
		name      string
		positions *Positions
		version   string
		want      bool
	}{
		{"before", &whole, "11", false},
		{"at", &whole, "10", true},
		{"after", &whole, "9", true},
		{"any version", &whole, "", true},
		{"no version yet", &empty, "1", false},
		{"any version of none", &empty, "", true},
		{"the first of two parts", namespaceOf("10", "20"), "10", true},
		{"the second of two parts", namespaceOf("10", "20"), "11", false},
		{"no parts", namespaceOf(), "1", true},
	} {
		if got, err := c.positions.Reached(0, c.version); err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if got, err := whole.Reached(0, "x"); err == nil || got {
		t.Errorf("a version without an order: %v, %v", got, err)
	}
}

// The part that is furthest behind is one without a version, then one whose version has no order, then
// the lowest.
func TestFurthestBehind(t *testing.T) {
	for _, c := range []struct{ a, b, c, part string }{
		{"10", "20", "30", "a"},
		{"20", "10", "30", "b"},
		{"30", "20", "10", "c"},
		{"10", "10", "10", "a"},
		{"10", "", "5", "b"},
		{"", "10", "", "a"},
		{"10", "x", "20", "b"},
		{"x", "10", "20", "a"},
		{"10", "20", "", "c"},
		{"x", "", "10", "b"},
	} {
		want := map[string]string{"a": c.a, "b": c.b, "c": c.c}[c.part]
		if version, name, none := namespaceOf(c.a, c.b, c.c).Last(); name != "source "+c.part || version != want || none {
			t.Errorf("%v: %s at %q, want %s", c, name, version, c.part)
		}
	}
	var p Positions
	if _, name, _ := p.Last(); name != "the store" {
		t.Errorf("the source without parts is %s", name)
	}
}

// A version is no longer that of a source that has gone backward, and is still that of one whose parts
// have changed.
func TestRewind(t *testing.T) {
	p := namespaceOf("10", "20")
	p.End(1)
	if reached, err := p.Reached(0, "20"); !reached || err != nil {
		t.Errorf("after a part has ended: %v, %v", reached, err)
	}
	none := namespaceOf("10")
	none.End(1)
	if reached, err := none.Reached(0, "20"); !reached || err != nil {
		t.Errorf("after the only part has ended: %v, %v", reached, err)
	}
	for rewinds := range uint64(2) {
		p.Rewind()
		if _, err := p.Reached(rewinds, ""); !errors.Is(err, ErrRewound) {
			t.Errorf("after the source went backward: %v, want %v", err, ErrRewound)
		}
	}
	if reached, err := p.Reached(p.Rewinds(), "20"); !reached || err != nil {
		t.Errorf("of its present: %v, %v", reached, err)
	}
}
