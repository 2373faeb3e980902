// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// item is an object of tests. It is never changed once it is stored.
type item struct {
	metav1.ObjectMeta // for its labels only
	key               string
	node              string
	labels            []string
	rev               int
	age               int
	name              string
}

func (it *item) String() string { return fmt.Sprintf("%s@%d", it.key, it.rev) }

// pair is a composite value.
type pair struct{ node, label string }

// fixture is a store of items with an index of each kind of arity.
type fixture struct {
	*store.Store[string, *item]
	byNode  store.Index[string, *item, string]
	byLabel store.Index[string, *item, string]
	byPair  store.Index[string, *item, pair]

	byAge   store.Ordered[string, *item, int]
	byMarks store.Ordered[string, *item, string] // under several values
	byName  store.Unique[string, *item, string]
	byRank  store.UniqueOrdered[string, *item, string] // of the same values as byName
	labels  store.Labels[string, *item]
}

func nodeOf(dst []string, it *item) []string {
	if it.node == "" {
		return dst
	}
	return append(dst, it.node)
}
func labelsOf(dst []string, it *item) []string { return append(dst, it.labels...) }
func pairsOf(dst []pair, it *item) []pair {
	for _, l := range it.labels {
		dst = append(dst, pair{it.node, l})
	}
	return dst
}

func ageOf(dst []int, it *item) []int {
	if it.age < 0 {
		return dst
	}
	return append(dst, it.age)
}
func nameOf(dst []string, it *item) []string { return append(dst, it.name) }

func newFixture(opts ...store.Option) fixture {
	f := newUnordered(opts...)
	f.byAge = store.AddOrdered(f.Store, "age", ageOf, cmp.Compare[int])
	f.byMarks = store.AddOrdered(f.Store, "marks", labelsOf, strings.Compare)
	f.byRank = store.AddUniqueOrdered(f.Store, "rank", nameOf, strings.Compare)
	return f
}

// newUnordered returns a fixture without ordered indexes.
func newUnordered(opts ...store.Option) fixture {
	s := store.New(func(it *item) string { return it.key }, opts...)
	return fixture{
		Store:   s,
		byNode:  store.AddIndex(s, "node", nodeOf),
		byLabel: store.AddIndex(s, "label", labelsOf),
		byPair:  store.AddIndex(s, "pair", pairsOf),
		byName:  store.AddUnique(s, "name", nameOf),
		labels:  store.AddLabels(s),
	}
}

func (f fixture) hasOrder() bool { return f.byAge.Name() != "" }

// reference is the store in its simplest form: a map, and scans.
type reference struct {
	objs  map[string]*item
	stale map[string]bool
	rv    string
}

func (m reference) clone() reference {
	return reference{maps.Clone(m.objs), maps.Clone(m.stale), m.rv}
}

func scan[V comparable](m reference, fn func([]V, *item) []V) map[V][]*item {
	found := map[V][]*item{}
	for _, it := range m.objs {
		seen := map[V]bool{}
		for _, v := range fn(nil, it) {
			if !seen[v] {
				found[v] = append(found[v], it)
			}
			seen[v] = true
		}
	}
	return found
}

func sorted(seq iter.Seq[*item]) []*item {
	return slices.SortedFunc(seq, func(a, b *item) int {
		if a.key < b.key {
			return -1
		}
		return 1
	})
}

// check compares every read of r with the reference.
func (f fixture) check(t *testing.T, r store.Reader[string, *item], m reference) {
	t.Helper()
	all := sorted(maps.Values(m.objs))
	if got := sorted(r.All()); !slices.Equal(got, all) {
		t.Fatalf("All: got %v, want %v", got, all)
	}
	if r.Len() != len(all) || r.ResourceVersion() != m.rv {
		t.Fatalf("Len %d, want %d; ResourceVersion %q, want %q", r.Len(), len(all), r.ResourceVersion(), m.rv)
	}
	if got := slices.Sorted(r.Keys()); !slices.Equal(got, slices.Sorted(maps.Keys(m.objs))) {
		t.Fatalf("Keys: %v", got)
	}
	for i := range keySpace {
		key := keyName(i)
		if got, ok := r.Get(key); got != m.objs[key] || ok != (m.objs[key] != nil) {
			t.Fatalf("Get(%s) = %v, %v; want %v", key, got, ok, m.objs[key])
		}
		if r.Stale(key) != m.stale[key] {
			t.Fatalf("Stale(%s) = %v", key, r.Stale(key))
		}
	}
	checkIndex(t, r, f.byNode, scan(m, nodeOf))
	checkIndex(t, r, f.byLabel, scan(m, labelsOf))
	checkIndex(t, r, f.byPair, scan(m, pairsOf))
	f.checkKinds(t, r, m)
}

func checkIndex[V comparable](
	t *testing.T, r store.Reader[string, *item], ix store.Index[string, *item, V], want map[V][]*item,
) {
	t.Helper()
	counts := maps.Collect(ix.Values(r))
	for v, objs := range want {
		objs = sorted(slices.Values(objs))
		if got := sorted(ix.Get(r, v)); !slices.Equal(got, objs) {
			t.Fatalf("%s %v: got %v, want %v", ix.Name(), v, got, objs)
		}
		if counts[v] != len(objs) || ix.Count(r, v) != len(objs) {
			t.Fatalf("%s %v: counts %d and %d, want %d", ix.Name(), v, counts[v], ix.Count(r, v), len(objs))
		}
	}
	if len(counts) != len(want) {
		t.Fatalf("%s has values %v, want %d: an empty bucket is left", ix.Name(), counts, len(want))
	}
}

const keySpace = 150

func keyName(i int) string { return fmt.Sprintf("key-%d", i) }

// script makes operations from a source of small numbers.
type script struct {
	next func(n int) int
	rev  int
}

func (s *script) item() *item {
	s.rev++
	it := &item{key: keyName(s.next(keySpace)), rev: s.rev}
	if n := s.next(6); n > 0 {
		it.node = fmt.Sprintf("node-%d", n)
	}
	for range s.next(4) {
		it.labels = append(it.labels, fmt.Sprintf("label-%d", s.next(5)))
	}
	it.age, it.name = s.next(30)-5, fmt.Sprint(s.next(keySpace))
	for _, key := range []string{"app", "tier", "size"} {
		if n := s.next(6); n > 0 {
			metav1.SetMetaDataLabel(&it.ObjectMeta, key, fmt.Sprint(n))
		}
	}
	return it
}

// step does one operation on both.
func (s *script) step(t *testing.T, f fixture, m *reference) {
	t.Helper()
	switch op := s.next(20); {
	case op < 11:
		it := s.item()
		if err := f.Set(it); err != nil {
			t.Fatal(err)
		}
		m.objs[it.key] = it
		delete(m.stale, it.key)
	case op < 15:
		key := keyName(s.next(keySpace))
		if f.Delete(key) != (m.objs[key] != nil) {
			t.Fatalf("Delete(%s) says the wrong thing", key)
		}
		delete(m.objs, key)
		delete(m.stale, key)
	default:
		s.batch(t, f, m, op == 19)
	}
}

func (s *script) batch(t *testing.T, f fixture, m *reference, replace bool) {
	t.Helper()
	var b store.Batch[string, *item]
	before := m.clone()
	kept := map[string]bool{}
	if s.next(2) == 0 {
		m.rv = fmt.Sprint(s.next(1000) + 1)
		b.ResourceVersion(m.rv)
	}
	var list []*item
	if replace {
		for range s.next(60) {
			list = append(list, s.item())
		}
		for range s.next(4) {
			kept[keyName(s.next(keySpace))] = true
		}
		b.Replace(list)
		for key := range m.objs {
			if !kept[key] {
				delete(m.objs, key)
				delete(m.stale, key)
			}
		}
		for _, it := range list {
			m.objs[it.key] = it
			delete(m.stale, it.key)
		}
	}
	for key := range kept {
		store.KeepStale(&b, key)
		if m.objs[key] != nil {
			m.stale[key] = true
		}
	}
	for range s.next(12) {
		if s.next(3) == 0 {
			key := keyName(s.next(keySpace))
			b.Delete(key)
			delete(m.objs, key)
			delete(m.stale, key)
			continue
		}
		it := s.item()
		b.Set(it)
		m.objs[it.key] = it
		delete(m.stale, it.key)
	}
	changes, err := f.Apply(&b)
	if err != nil {
		t.Fatal(err)
	}
	// The changes, played over the state before, give the state after.
	for _, c := range changes {
		if was := before.objs[c.New.key]; was != c.Old || (was == nil) != (c.Type == store.Added) {
			t.Fatalf("change of %s: old %v, want %v", c.New.key, c.Old, was)
		}
		if delete(before.objs, c.New.key); c.Type != store.Deleted {
			before.objs[c.New.key] = c.New
		}
	}
	if !maps.Equal(before.objs, m.objs) {
		t.Fatalf("changes lead to %v, want %v", before.objs, m.objs)
	}
}

func newReference() reference {
	return reference{objs: map[string]*item{}, stale: map[string]bool{}}
}

func TestAgainstReference(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		s := &script{next: rng.IntN}
		f, m := newFixture(), newReference()
		if seed%2 == 0 {
			f = newUnordered()
		}
		reported := store.ReportsOf(f.Store)
		type frozen struct {
			r store.Reader[string, *item]
			m reference
		}
		var snapshots []frozen
		for i := range 400 {
			s.step(t, f, &m)
			if i%50 == 0 {
				f.check(t, f.Reader(), m)
			}
			if rng.IntN(60) == 0 {
				snapshots = append(snapshots, frozen{f.Reader().Snapshot(), m.clone()})
			}
		}
		f.check(t, f.Reader(), m)
		for _, snap := range snapshots {
			f.check(t, snap.r, snap.m)
		}
		if errs := reported(); len(errs) > 0 {
			t.Fatalf("index errors: %v", errs)
		}
	}
}

func FuzzAgainstReference(f *testing.F) {
	f.Add([]byte("set, delete, replace"))
	f.Add([]byte{19, 0, 59, 3, 3, 3, 1, 2, 19, 1, 1, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		i := 0
		s := &script{next: func(n int) int {
			if i == len(data) {
				return 0
			}
			i++
			return int(data[i-1]) % n
		}}
		fix, m := newFixture(), newReference()
		if s.next(2) == 0 {
			fix = newUnordered()
		}
		snap, then := fix.Reader().Snapshot(), m.clone()
		for i < len(data) {
			s.step(t, fix, &m)
			if s.next(8) == 0 {
				fix.check(t, snap, then)
				snap, then = fix.Reader().Snapshot(), m.clone()
			}
		}
		fix.check(t, fix.Reader(), m)
		fix.check(t, snap, then)
	})
}

func fill(t testing.TB, f fixture, n int) []*item {
	t.Helper()
	items := make([]*item, n)
	for i := range items {
		items[i] = &item{
			key: fmt.Sprint("k", i), node: fmt.Sprint("n", i%10),
			labels: []string{"all", fmt.Sprint("l", i%3)},
		}
		if err := f.Set(items[i]); err != nil {
			t.Fatal(err)
		}
	}
	return items
}
