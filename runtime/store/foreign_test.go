// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
)

// fuse makes the n-th call of foreign code panic.
type fuse struct{ left int }

var calls fuse

func (f *fuse) burn() {
	if f.left--; f.left == 0 {
		panic("foreign code has failed")
	}
}

// frail is an object all of whose methods and functions may panic.
type frail struct {
	Key   frailKey
	Node  string
	Tags  []string
	Rank  int
	State frailState
}

type frailKey struct{ name string }

func (k frailKey) String() string { calls.burn(); return k.name }

type frailState struct{ n int }

type frails struct {
	*Store[frailKey, *frail]
	indexes []Index[frailKey, *frail, string]
}

func (s *frails) add(name string, order func(a, b string) int, fn func(dst []string, o *frail) []string) {
	burning := func(dst []string, o *frail) []string { calls.burn(); return fn(dst, o) }
	if order == nil {
		s.indexes = append(s.indexes, AddIndex(s.Store, name, burning))
		return
	}
	s.indexes = append(s.indexes, AddOrdered(s.Store, name, burning, order).Index)
}

func newFrails() *frails {
	s := &frails{Store: New(func(o *frail) frailKey { calls.burn(); return o.Key }, Detecting)}
	s.add("Node", nil, func(dst []string, o *frail) []string { return append(dst, o.Node) })
	s.add("Tag", nil, func(dst []string, o *frail) []string { return append(dst, o.Tags...) })
	s.add("Rank", cmp.Compare[string],
		func(dst []string, o *frail) []string { return append(dst, fmt.Sprint(o.Rank), "all") })
	return s
}

func frailOf(name string, n int) *frail {
	return &frail{
		Key: frailKey{name}, Node: fmt.Sprint("n", n%3), Tags: []string{"t", fmt.Sprint("t", n%2)},
		Rank: n % 4, State: frailState{n},
	}
}

// write applies a write, and again if the key of an object could not be read.
func (s *frails) write(t *testing.T, part string, fill func(b *Batch[frailKey, *frail])) {
	t.Helper()
	for range 2 {
		var b Batch[frailKey, *frail]
		fill(&b)
		_, err := ApplyPart(s.Store, &b, part, func(a, b *frail) bool { return a.State.n < b.State.n })
		if misfit := (*KeyError)(nil); !errors.As(err, &misfit) {
			return
		}
	}
	t.Error("an object was refused twice")
}

// live uses a store with all calls of foreign code.
func (s *frails) live(t *testing.T) {
	x := []*frail{frailOf("a", 1), frailOf("b", 2), frailOf("c", 3), frailOf("d", 4)}
	s.write(t, "x", func(b *Batch[frailKey, *frail]) { b.Replace(x) })
	s.write(t, "y", func(b *Batch[frailKey, *frail]) {
		b.Set(frailOf("b", 1))
		b.Set(frailOf("e", 5))
		b.Set(frailOf("f", 6))
	})
	x[2].Rank, x[2].Tags, x[3].State.n = 9, nil, 7 // somebody writes to cached objects
	s.write(t, "x", func(b *Batch[frailKey, *frail]) {
		b.Delete(frailKey{"a"})
		b.Set(frailOf("b", 7))
		b.Set(frailOf("c", 8))
		KeepStale(b, frailKey{"d"})
		b.Set(frailOf("g", 9))
		b.Delete(frailKey{"none"})
	})
	s.write(t, "y", func(b *Batch[frailKey, *frail]) { b.Set(frailOf("e", 10)) })
	s.write(t, "y", func(b *Batch[frailKey, *frail]) { b.Delete(frailKey{"f"}) })
	s.add("late", func(a, b string) int { return cmp.Compare(b, a) },
		func(dst []string, o *frail) []string { return append(dst, o.Node, o.Key.name) })
	_ = s.CheckMutations()
	s.write(t, "x", func(b *Batch[frailKey, *frail]) {
		b.Replace([]*frail{frailOf("b", 11), frailOf("h", 12), frailOf("i", 13)})
		KeepStale(b, frailKey{"c"})
		b.Set(frailOf("j", 14))
	})
	for range 2 {
		if s.Set(frailOf("k", 15)) == nil {
			break
		}
	}
	s.Delete(frailKey{"h"})
	s.write(t, "z", func(b *Batch[frailKey, *frail]) { b.Set(frailOf("l", 16)) })
}

// check reports broken invariants of the store.
func (s *frails) check(t *testing.T) {
	t.Helper()
	v, live := s.current.Load(), 0
	free := slices.Clone(s.freeSlots)
	slices.Sort(free)
	v.Each(func(slot uint32, ch *table.Chunk[frailKey, *frail]) bool {
		live++
		if _, emptied := slices.BinarySearch(free, slot); emptied {
			t.Errorf("slot %d has an object, and is to be given to another", slot)
		}
		key := v.KeyIn(ch, slot)
		if v.Find(v.Hash(key), key) != slot {
			t.Errorf("the object in slot %d is not found by its key", slot)
		}
		return true
	})
	if live != v.Len() || live != s.Reader().Len() || live+len(free) > len(s.Store.indexes.Fingerprints) {
		t.Errorf("%d objects, %d keys, %d slots, of which %d are free",
			live, v.Len(), len(s.Store.indexes.Fingerprints), len(free))
	}
	for _, ix := range s.indexes {
		for value, n := range ix.Values(s.Reader()) {
			objs := slices.Collect(ix.Get(s.Reader(), value))
			for _, o := range objs {
				if o == nil || !slices.Contains(ix.valuesOf(o), value) {
					t.Errorf("index %s has %v under %q", ix.Name(), o, value)
				}
			}
			if len(objs) != n {
				t.Errorf("index %s: %d under %q, and %d are there", ix.Name(), n, value, len(objs))
			}
		}
	}
}

func (s *frails) names() map[string]bool {
	names := map[string]bool{}
	for k := range s.Reader().Keys() {
		names[k.name] = true
	}
	return names
}

// After a panic in any call of foreign code, the panic is reported, the object is stored and the
// store is consistent. The next write of the object repairs its index values.
func TestForeignCodePanicsAnywhere(t *testing.T) {
	calls = fuse{}
	s := newFrails()
	s.live(t)
	n, want := -calls.left, s.names()
	if n < 100 {
		t.Fatalf("foreign code is called %d times only", n)
	}
	for nth := range n {
		t.Run(fmt.Sprint(nth+1), func(t *testing.T) {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("a writer has panicked: %v", r)
				}
			}()
			calls = fuse{nth + 1}
			s := newFrails()
			s.live(t)
			calls = fuse{}
			s.check(t)
			if got := s.names(); !maps.Equal(got, want) {
				t.Errorf("the store has %v, want %v", got, want)
			}
			for o := range s.Reader().All() {
				c := *o
				c.Rank, c.Node = c.Rank+1, c.Node+"'"
				_ = s.Set(&c)
			}
			s.check(t)
			for o := range s.Reader().All() {
				for _, ix := range s.indexes {
					for _, value := range ix.valuesOf(o) {
						if !slices.Contains(slices.Collect(ix.Get(s.Reader(), value)), o) {
							t.Errorf("index %s: %s is not under %q", ix.Name(), o.Key.name, value)
						}
					}
				}
			}
		})
	}
}

// Set and Apply store nothing if an object has no key.
func TestObjectsWithoutKeyAreRefused(t *testing.T) {
	s := New(func(o *frail) string { return o.Key.name })
	_ = s.Set(frailOf("a", 1))
	var b Batch[string, *frail]
	b.Replace([]*frail{nil, frailOf("b", 1), nil})
	b.Delete("a")
	KeepStale(&b, "k")
	b.Set(frailOf("c", 1))
	b.Set(nil)
	var first *KeyError
	if _, err := s.Apply(&b); !errors.As(err, &first) || first.Position != 0 ||
		!strings.Contains(err.Error(), "nil pointer") {
		t.Errorf("Apply: %v", err)
	}
	if err := s.Set(nil); !errors.As(err, &first) {
		t.Errorf("Set: %v", err)
	}
	if _, ok := s.Reader().Get("a"); !ok || s.Reader().Len() != 1 {
		t.Error("something was done")
	}
}

// An object that was renamed in the store is not found. A Replace cannot delete it and panics.
func TestRenamedInTheStore(t *testing.T) {
	for range 10 { // the trie compares 8 bits of the hashes, so one in 256 goes unnoticed
		s := ForObjects[*metav1.ObjectMeta]()
		a, b := &metav1.ObjectMeta{Name: "a"}, &metav1.ObjectMeta{Name: "b"}
		if err := s.Replace([]*metav1.ObjectMeta{a, b}, "1"); err != nil {
			t.Fatal(err)
		}
		a.Name = "c"
		said := func() (said string) {
			defer func() { said = fmt.Sprint(recover()) }()
			_ = s.Replace(nil, "2")
			return ""
		}()
		if !strings.Contains(said, "object /c was renamed in the store") {
			continue
		}
		if _, ok := s.Reader().Get(KeyOf(b)); !ok || s.Reader().Len() != 2 {
			t.Error("readers do not see what was there before")
		}
		return
	}
	t.Error("Replace does not panic")
}
