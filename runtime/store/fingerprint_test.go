// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/index"
)

type valued struct {
	key    string
	values []string
}

func valuedStore() (*Store[string, *valued], Index[string, *valued, string]) {
	s := New(func(m *valued) string { return m.key })
	return s, AddIndex(s, "values", func(dst []string, m *valued) []string {
		return append(dst, m.values...)
	})
}

// agree sets the fingerprint of a slot to that of values, as chance does once in 2^64 writes.
func agree(s *Store[string, *valued], slot uint32, x *index.Index[*valued, string], values ...string) {
	m := &valued{values: values}
	s.indexes.Fingerprints[slot] = x.StageNew(&m)
}

// Equal fingerprints by chance hide that index values change. The next change finds, reports and
// repairs it.
func TestFingerprintsThatAgreeByChance(t *testing.T) {
	for name, then := range map[string]func(*Store[string, *valued]){
		"moves":    func(s *Store[string, *valued]) { s.Set(&valued{"x", []string{"c"}}) },
		"goes":     func(s *Store[string, *valued]) { s.Delete("x") },
		"relisted": func(s *Store[string, *valued]) { s.Replace(nil, "1") },
		"moves to several, and on": func(s *Store[string, *valued]) {
			s.Set(&valued{"x", []string{"c", "b", "d"}})
			s.Set(&valued{"x", []string{"c", "d"}})
		},
	} {
		s, ix := valuedStore()
		reported := ReportsOf(s)
		s.Set(&valued{"x", []string{"a"}})
		agree(s, 0, ix.index, "b")
		s.Set(&valued{"x", []string{"b"}})
		r := s.Reader()
		if ix.Count(r, "a") != 1 {
			t.Fatalf("%s: the fingerprints do not agree: this test is of no use", name)
		}
		then(s)
		for v, n := range ix.Values(r) {
			if v == "a" || n != 1 {
				t.Errorf("%s: %d objects under %s", name, n, v)
			}
		}
		var want int
		for m := range r.All() {
			want += len(m.values)
			for _, v := range m.values {
				if ix.Count(r, v) != 1 {
					t.Errorf("%s: not found under %s", name, v)
				}
			}
		}
		if ix.Len(r) != want {
			t.Errorf("%s: %d values, want %d", name, ix.Len(r), want)
		}
		if errs := reported(); len(errs) != 1 || !errors.Is(errs[0], ErrImpure) {
			t.Errorf("%s: reported %v", name, errs)
		}
	}
}

// Fingerprints distinguish similar values: in another index, twice, or concatenated differently.
func TestFingerprintsDiffer(t *testing.T) {
	s := New(func(m *valued) string { return m.key })
	nth := func(n int) func([]string, *valued) []string {
		return func(dst []string, m *valued) []string { return append(dst, m.values[n]) }
	}
	AddIndex(s, "first", nth(0))
	AddIndex(s, "second", nth(1))
	AddIndex(s, "rest", func(dst []string, m *valued) []string { return append(dst, m.values[2:]...) })
	seen := map[uint64][]string{}
	for i, values := range [][]string{
		{"a", "b"}, {"b", "a"}, {"a", "a"}, {"b", "b"}, {"", "ab"}, {"ab", ""}, {"", ""},
		{"a", "b", "a"}, {"a", "b", "b"}, {"a", "b", "a", "b"}, {"a", "b", "ab"}, {"b", "a", "a"},
		{"a", "b", ""}, {"a", "b", "", "a"},
	} {
		s.Set(&valued{fmt.Sprint(i), values})
		if other, dup := seen[s.indexes.Fingerprints[i]]; dup {
			t.Errorf("%q and %q have one fingerprint", values, other)
		}
		seen[s.indexes.Fingerprints[i]] = values
	}
	s.Set(&valued{"again", []string{"a", "b", "b", "a"}})
	if seen[s.indexes.Fingerprints[len(s.indexes.Fingerprints)-1]] == nil {
		t.Error("the order of values in one index changes the fingerprint")
	}
}

// Adding an index to a full store updates the fingerprints. Otherwise each update would report an
// impure function and visit every bucket.
func TestFingerprintsOfALateIndex(t *testing.T) {
	s, first := valuedStore()
	for i := range 10 {
		s.Set(&valued{fmt.Sprint(i), []string{fmt.Sprint("a", i), "b"}})
	}
	late := AddOrdered(s, "late", func(dst []string, m *valued) []string {
		return append(dst, m.values...)
	}, strings.Compare)
	for m := range s.Reader().All() {
		slot := s.current.Load().Find(s.keyFuncs.Hash(m.key), m.key)
		var want uint64
		for _, x := range []*index.Index[*valued, string]{first.index, late.index} {
			want += x.StageNew(&m)
		}
		if s.indexes.Fingerprints[slot] != want {
			t.Errorf("object %s: fingerprint %x, want %x", m.key, s.indexes.Fingerprints[slot], want)
		}
	}
}
