// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"errors"
	"testing"
)

// joined returns positions in the joined sources a and b, at resourceVersions "10" and "20".
func joined() *Positions {
	p := &Positions{}
	ids := map[string]uint32{"a": 1, "b": 2}
	p.Join([]string{"a", "b"}, func(source string) uint32 { return ids[source] })
	p.Advance(1, "a", "10", false)
	p.Advance(2, "b", "20", false)
	return p
}

func TestReached(t *testing.T) {
	var one Positions
	one.Advance(1, "a", "10", false)
	var empty Positions
	empty.Begin(1, "a")
	var none Positions
	none.Join(nil, nil)
	for _, c := range []struct {
		name      string
		positions *Positions
		place     func(*Positions) Place
		version   string
		want      bool
	}{
		{"before", &one, ofA, "11", false},
		{"at", &one, ofA, "10", true},
		{"after", &one, ofA, "9", true},
		{"any version", &one, ofA, "", true},
		{"no version yet", &empty, ofA, "1", false},
		{"any version of none", &empty, ofA, "", true},
		{"the first of joined ones", joined(), (*Positions).Joined, "10", true},
		{"the second of joined ones", joined(), (*Positions).Joined, "11", false},
		{"no joined sources", &none, (*Positions).Joined, "1", true},
	} {
		place := c.place(c.positions)
		if got, err := place.Reached(place.Epoch, c.version); err != nil || got != c.want {
			t.Errorf("%s: %v, %v, want %v", c.name, got, err, c.want)
		}
	}
	if got, err := one.Of("a").Reached(EpochOf("a"), "x"); err == nil || got {
		t.Errorf("a version without an order: %v, %v", got, err)
	}
}

func ofA(p *Positions) Place { return p.Of("a") }

// Joined is the place of the source that is furthest behind: one without a version, then one
// whose version has no order, then the lowest.
func TestFurthestBehind(t *testing.T) {
	for _, c := range []struct{ a, b, c, source string }{
		{"10", "20", "30", "a"},
		{"20", "10", "30", "b"},
		{"30", "20", "10", "c"},
		{"10", "10", "10", "a"},
		{"10", "", "5", "b"},
		{"", "10", "", "a"},
		{"10", "x", "20", "b"},
		{"10", "20", "", "c"},
	} {
		p := joined()
		p.Join([]string{"c"}, func(string) uint32 { return 3 })
		p.Advance(1, "a", c.a, false)
		p.Advance(2, "b", c.b, false)
		p.Advance(3, "c", c.c, false)
		place := p.Joined()
		want := map[string]string{"a": c.a, "b": c.b, "c": c.c}[c.source]
		if place.String() != "source "+c.source || place.ResourceVersion != want {
			t.Errorf("%v: %v at %q, want %s", c, place, place.ResourceVersion, c.source)
		}
	}
	var p Positions
	if got := p.Of("").String(); got != "the store" {
		t.Errorf("the place of the store is %s", got)
	}
}

// An Epoch of joined sources ends with none of them, and is over if one goes backward.
func TestEpochOfJoinedSources(t *testing.T) {
	p := joined()
	epoch := p.Joined().Epoch
	p.End(1)
	if reached, err := p.Joined().Reached(epoch, "20"); !reached || err != nil {
		t.Errorf("after one has ended: %v, %v", reached, err)
	}
	p.Advance(3, "c", "1", true) // it is not joined
	if reached, err := p.Joined().Reached(epoch, "20"); !reached || err != nil {
		t.Errorf("after another one went backward: %v, %v", reached, err)
	}
	p.Join([]string{""}, func(string) uint32 { return 0 })
	p.Advance(0, "", "30", false)
	if reached, err := p.Joined().Reached(epoch, "20"); !reached || err != nil {
		t.Errorf("after source \"\" has begun: %v, %v", reached, err)
	}
	p.Advance(2, "b", "1", true)
	if _, err := p.Joined().Reached(epoch, "1"); !errors.Is(err, ErrRewound) {
		t.Errorf("after one went backward: %v, want %v", err, ErrRewound)
	}
	epoch = p.Joined().Epoch
	p.Advance(2, "b", "", true) // a second time, and without a version
	if _, err := p.Joined().Reached(epoch, ""); !errors.Is(err, ErrRewound) {
		t.Errorf("after it went backward again: %v, want %v", err, ErrRewound)
	}
}

// An Epoch of a source that had not begun becomes that of its first life.
func TestFollow(t *testing.T) {
	var p Positions
	epoch, whole := EpochOf("a"), Epoch{}
	p.Advance(1, "a", "10", true)
	first := p.Of("a").Epoch
	epoch.Follow(first)
	if epoch != first {
		t.Errorf("the Epoch is %+v, want %+v", epoch, first)
	}
	p.End(1)
	p.Advance(1, "a", "10", false)
	epoch.Follow(p.Of("a").Epoch)
	if epoch != first {
		t.Errorf("the Epoch is %+v in the second life, want %+v", epoch, first)
	}
	whole.Follow(first)
	if whole.named || whole.life != first.life {
		t.Errorf("the Epoch of the store is %+v, want one with life %d", whole, first.life)
	}
}

// Epochs of one source and of the whole store find their place.
func TestAt(t *testing.T) {
	var p Positions
	p.Advance(0, "", "5", false)
	epoch := p.Of("").Epoch
	epoch.named = false
	if at, err := p.At(Epoch{}); err != nil || at.ResourceVersion != "5" {
		t.Errorf("the only source: %+v, %v", at, err)
	}
	p.Advance(1, "a", "7", false)
	if at, err := p.At(epoch); err != nil || at.ResourceVersion != "5" {
		t.Errorf("the source of the Epoch: %+v, %v", at, err)
	}
	if at, err := p.At(EpochOf("a")); err != nil || at.ResourceVersion != "7" {
		t.Errorf("a source by name: %+v, %v", at, err)
	}
	if _, err := p.At(Epoch{}); !errors.Is(err, ErrWhich) {
		t.Errorf("one of two sources: %v, want %v", err, ErrWhich)
	}
	p.Join([]string{"a"}, func(string) uint32 { return 1 })
	if _, err := p.At(Epoch{}); !errors.Is(err, ErrWhich) {
		t.Errorf("a joined source and another one: %v, want %v", err, ErrWhich)
	}
	p.Join([]string{""}, func(string) uint32 { return 0 })
	if at, err := p.At(epoch); err != nil || at.ResourceVersion != "5" || at.String() != "the store" {
		t.Errorf("all are joined: %v, %v", at, err)
	}
	p.End(0)
	if at, err := p.At(Epoch{}); err != nil || at.ResourceVersion != "7" {
		t.Errorf("one joined source is left: %+v, %v", at, err)
	}
}

// A source that ends and begins again has another life, though nothing else has changed.
func TestLivesDiffer(t *testing.T) {
	var p Positions
	lives := map[uint64]bool{}
	for range 3 {
		p.Begin(1, "a")
		lives[p.Of("a").Epoch.life] = true
		p.End(1)
	}
	p.Advance(1, "a", "", false)
	if life := p.Of("a").Epoch.life; len(lives) != 3 || lives[0] || life != 0 {
		t.Errorf("lives %v, and %d of a source without a version", lives, life)
	}
	p.Advance(1, "a", "", true)
	if epoch := p.Of("a").Epoch; epoch.life == 0 || epoch.epoch != 1 {
		t.Errorf("a source that began by going backward has %+v", epoch)
	}
}
