// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// part is an object that some sources have.
type part struct {
	key     string
	version int
	group   int
}

func older(a, b *part) bool { return a.version < b.version }

// model is what a store with sources must hold.
type model struct {
	objs map[string]part
	has  map[string]map[string]bool // by source, by key
}

func (m *model) others(source, key string) bool {
	for name, keys := range m.has {
		if name != source && keys[key] {
			return true
		}
	}
	return false
}

func (m *model) set(source string, p part, rewound bool) {
	if now, ok := m.objs[p.key]; !ok || rewound || !m.others(source, p.key) || now.version <= p.version {
		m.objs[p.key] = p
	}
	if m.has[source] == nil {
		m.has[source] = map[string]bool{}
	}
	m.has[source][p.key] = true
}

func (m *model) delete(source, key string) {
	if !m.others(source, key) && m.has[source][key] {
		delete(m.objs, key)
	}
	delete(m.has[source], key)
}

func TestSourcesHoldTheUnion(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 0))
		s := store.New(func(p *part) string { return p.key })
		byGroup := store.AddIndex(s, "Group", func(dst []int, p *part) []int { return append(dst, p.group) })
		m := model{objs: map[string]part{}, has: map[string]map[string]bool{}}
		sources := []string{"", "a", "b", "c", "d"}
		version := 0
		random := func() part {
			version++
			return part{
				key: fmt.Sprint("k", rng.IntN(20)), version: max(1, version-rng.IntN(10)), group: rng.IntN(3),
			}
		}
		for range 300 {
			source := sources[rng.IntN(len(sources))]
			var b store.Batch[string, *part]
			b.SetSource(source, older)
			switch op := rng.IntN(20); {
			case op == 0:
				b.EndSource()
				for key := range maps.Clone(m.has[source]) {
					m.delete(source, key)
				}
			case op < 3:
				rewound := rng.IntN(3) == 0
				objs := map[string]part{}
				for range rng.IntN(8) {
					p := random()
					objs[p.key] = p
				}
				for key := range maps.Clone(m.has[source]) {
					if _, ok := objs[key]; !ok {
						m.delete(source, key)
					}
				}
				var list []*part
				for _, p := range objs {
					m.set(source, p, rewound)
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
						m.delete(source, p.key)
					} else {
						b.Set(&p)
						m.set(source, p, false)
					}
				}
			}
			if rng.IntN(3) == 0 {
				_ = s.Reader().Snapshot()
			}
			if _, err := s.Apply(&b); err != nil {
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

func TestEachSourceHasItsVersion(t *testing.T) {
	s := newFed(t)
	r := s.Reader()
	s.apply("a", "5")
	frozen := r.Snapshot()
	s.apply("b", "70")
	s.apply("a", "6")
	versions := func(r store.Reader[string, *part]) map[string]string {
		return map[string]string{"a": r.ResourceVersionOf("a"), "b": r.ResourceVersionOf("b")}
	}
	if got, want := versions(r), map[string]string{"a": "6", "b": "70"}; !maps.Equal(got, want) {
		t.Errorf("sources: %v, want %v", got, want)
	}
	if got, want := versions(frozen), map[string]string{"a": "5", "b": ""}; !maps.Equal(got, want) {
		t.Errorf("sources of the snapshot: %v, want %v", got, want)
	}
	if r.ResourceVersion() != "" || r.ResourceVersionOf("a") != "6" || frozen.ResourceVersionOf("b") != "" {
		t.Error("a source's version is another's")
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := r.WaitForSource(ctx, "b", "70"); err != nil {
		t.Error(err)
	}
	if err := r.WaitFor(ctx, "6"); !errors.Is(err, store.ErrWhichSource) {
		t.Errorf("WaitFor without a name: %v", err)
	}

	waiting := make(chan error, 1)
	ends := func(want error, source string, change func(i int)) {
		t.Helper()
		go func() { waiting <- r.WaitForSource(ctx, source, "1000") }()
		for i := 0; ; i++ { // until the wait has begun, and then met the change
			change(i)
			select {
			case err := <-waiting:
				if !errors.Is(err, want) {
					t.Errorf("waiting for %s: %v, want %v", source, err, want)
				}
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	ends(store.ErrRewound, "a", func(int) { s.apply("a", "3", rewind) })
	s.apply("", "2") // before that, a wait without a name is refused
	ends(store.ErrRewound, "", func(int) { s.apply("", "3", rewind) })
	ends(store.ErrSourceEnded, "b", func(i int) {
		if i%2 == 0 {
			s.apply("b", "", leave)
		} else {
			s.apply("b", "4")
		}
	})
	ends(nil, "new", func(int) { s.apply("new", "1000") })
}

// A fast source creates and deletes an object before a slow one does. The slow source creates it
// again and deletes it, and nothing of it is left.
func TestSlowSourceLeavesNothing(t *testing.T) {
	s := newFed(t)
	s.feeder().Join("fast", "slow")
	create := func(b *store.Batch[string, *part]) { b.Set(&part{key: "x", version: 5}) }
	remove := func(b *store.Batch[string, *part]) { b.Delete("x") }
	m := s.Reader().Epoch()
	s.apply("fast", "5", create)
	s.apply("fast", "6", remove)
	s.apply("slow", "5", create)
	if reached, err := s.Reader().Reached(m, "6"); reached || err != nil {
		t.Errorf("the slow source has not heard of the deletion, and the store has: %v", err)
	}
	s.apply("slow", "6", remove)
	if reached, err := s.Reader().Reached(m, "6"); !reached || err != nil || s.Reader().Len() != 0 {
		t.Errorf("%d objects are left, reached %v, %v", s.Reader().Len(), reached, err)
	}
}
