// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// part is an object that some parts have.
type part struct {
	key     string
	version int
	group   int
}

func older(a, b *part) bool { return a.version < b.version }

// model is what a store with parts must hold.
type model struct {
	objs map[string]part
	has  map[string]map[string]bool // by part, by key
}

func (m *model) others(own, key string) bool {
	for name, keys := range m.has {
		if name != own && keys[key] {
			return true
		}
	}
	return false
}

func (m *model) set(name string, p part, rewound bool) {
	if now, ok := m.objs[p.key]; !ok || rewound || !m.others(name, p.key) || now.version <= p.version {
		m.objs[p.key] = p
	}
	if m.has[name] == nil {
		m.has[name] = map[string]bool{}
	}
	m.has[name][p.key] = true
}

func (m *model) delete(name, key string) {
	if !m.others(name, key) && m.has[name][key] {
		delete(m.objs, key)
	}
	delete(m.has[name], key)
}

func TestPartsHoldTheUnion(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := store.New(func(p *part) string { return p.key })
		byGroup := store.AddIndex(s, "Group", func(dst []int, p *part) []int { return append(dst, p.group) })
		m := model{objs: map[string]part{}, has: map[string]map[string]bool{}}
		names := []string{"", "a", "b", "c", "d"}
		version := 0
		random := func() part {
			version++
			return part{
				key: fmt.Sprint("k", rng.IntN(20)), version: max(1, version-rng.IntN(10)), group: rng.IntN(3),
			}
		}
		for range 300 {
			name := names[rng.IntN(len(names))]
			var b store.Batch[string, *part]
			ends := false
			switch op := rng.IntN(20); {
			case op == 0:
				ends = true
				for key := range maps.Clone(m.has[name]) {
					m.delete(name, key)
				}
			case op < 3:
				rewound := rng.IntN(3) == 0
				objs := map[string]part{}
				for range rng.IntN(8) {
					p := random()
					objs[p.key] = p
				}
				for key := range maps.Clone(m.has[name]) {
					if _, ok := objs[key]; !ok {
						m.delete(name, key)
					}
				}
				var list []*part
				for _, p := range objs {
					m.set(name, p, rewound)
					list = append(list, &p)
				}
				b.Replace(list)
				if rewound {
					b.Rewind()
				}
			default:
				for range 1 + rng.IntN(3) {
					p := random()
					if rng.IntN(3) == 0 {
						b.Delete(p.key)
						m.delete(name, p.key)
					} else {
						b.Set(&p)
						m.set(name, p, false)
					}
				}
			}
			if rng.IntN(3) == 0 {
				_ = s.Reader().Snapshot()
			}
			if ends {
				store.FeederOf(s).Part(name).End()
			} else if _, err := store.ApplyPart(s, &b, name, older); err != nil {
				t.Fatal(err)
			}
			got := map[string]part{}
			for p := range s.Reader().All() {
				got[p.key] = *p
			}
			if !maps.Equal(got, m.objs) {
				t.Fatalf("seed %d: the store has %v, want %v", seed, got, m.objs)
			}
			n := 0
			for group := range 3 {
				n += byGroup.Count(s.Reader(), group)
			}
			if n != len(got) {
				t.Fatalf("seed %d: the index has %d of %d objects", seed, n, len(got))
			}
		}
	}
}

// A fast part creates and deletes an object before a slow one does. The slow part creates it
// again and deletes it, and nothing of it is left.
func TestSlowPartLeavesNothing(t *testing.T) {
	s := newFed(t)
	s.feeder().AddParts("fast", "slow")
	create := func(b *store.Batch[string, *part]) { b.Set(&part{key: "x", version: 5}) }
	remove := func(b *store.Batch[string, *part]) { b.Delete("x") }
	m := s.Reader().Epoch()
	s.apply("fast", "5", create)
	s.apply("fast", "6", remove)
	s.apply("slow", "5", create)
	if reached, err := s.Reader().Reached(m, "6"); reached || err != nil {
		t.Errorf("the slow part has not heard of the deletion, and the store has: %v", err)
	}
	s.apply("slow", "6", remove)
	if reached, err := s.Reader().Reached(m, "6"); !reached || err != nil || s.Reader().Len() != 0 {
		t.Errorf("%d objects are left, reached %v, %v", s.Reader().Len(), reached, err)
	}
}
