// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"runtime"
	"testing"
	"weak"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// The store has no reference to a deleted object, neither in its slot nor in the staged write.
func TestDeletedObjectIsLetGo(t *testing.T) {
	for name, goes := range map[string]func(s *store.Store[string, *item], b *store.Batch[string, *item]){
		"deleted": func(s *store.Store[string, *item], _ *store.Batch[string, *item]) { s.Delete("x") },
		"replaced": func(s *store.Store[string, *item], _ *store.Batch[string, *item]) {
			s.Set(&item{key: "x", node: "m"})
		},
		"relisted": func(s *store.Store[string, *item], _ *store.Batch[string, *item]) {
			s.Replace([]*item{{key: "y"}}, "1")
		},
		"in a batch": func(s *store.Store[string, *item], b *store.Batch[string, *item]) {
			b.Set(&item{key: "z"})
			b.Delete("x")
			s.Apply(b)
			b.Reset()
		},
	} {
		s := store.New(func(it *item) string { return it.key })
		ix := store.AddIndex(s, "node", nodeOf)
		var b store.Batch[string, *item]
		p := func() weak.Pointer[item] {
			it := &item{key: "x", node: "n"}
			b.Set(it)
			s.Apply(&b)
			b.Reset()
			return weak.Make(it)
		}()
		s.Set(&item{key: "y"})
		goes(s, &b)
		runtime.GC()
		if p.Value() != nil {
			t.Errorf("%s: the store still holds the object", name)
		}
		if ix.Count(s.Reader(), "n") != 0 {
			t.Errorf("%s: its bucket is left", name)
		}
		runtime.KeepAlive(&b)
	}
}

func TestHeldSnapshotPinsWhatChanged(t *testing.T) {
	f := newFixture()
	fill(t, f, 20_000)
	held := f.Reader().Snapshot()
	before := liveHeap()
	for i := range 20 {
		f.Set(&item{key: fmt.Sprint("k", i), node: "moved"})
	}
	if grown := int64(liveHeap()) - int64(before); grown > 400_000 {
		t.Errorf("20 writes beside a snapshot of 20,000 objects pin %d bytes", grown)
	}
	if held.Len() != 20_000 || f.byNode.Count(held, "moved") != 0 {
		t.Error("the snapshot has moved")
	}
}

// The cost of a write after a snapshot does not grow with the store, even if the write changes
// the bucket of all objects.
func TestWriteAfterSnapshotCopiesLittle(t *testing.T) {
	copied := func(n int, write func(s *store.Store[string, *item], i int)) uint64 {
		s := store.New(func(it *item) string { return it.key })
		store.AddIndex(s, "node", nodeOf)
		store.AddIndex(s, "label", labelsOf)
		items := make([]*item, n)
		for i := range items {
			items[i] = &item{key: fmt.Sprint("k", i), node: "n", labels: []string{"all"}}
		}
		s.Replace(items, "1")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range 200 {
			s.Reader().Snapshot()
			write(s, i)
		}
		runtime.ReadMemStats(&after)
		return (after.TotalAlloc - before.TotalAlloc) / 200
	}
	for name, write := range map[string]func(s *store.Store[string, *item], i int){
		"update": func(s *store.Store[string, *item], i int) {
			s.Set(&item{key: fmt.Sprint("k", i), node: "n", labels: []string{"all"}})
		},
		"move": func(s *store.Store[string, *item], i int) {
			s.Set(&item{key: fmt.Sprint("k", i), node: "m", labels: []string{"all"}})
		},
		"delete": func(s *store.Store[string, *item], i int) { s.Delete(fmt.Sprint("k", i)) },
	} {
		small, many := copied(1000, write), copied(40_000, write)
		if many > 2*small+2048 {
			t.Errorf("%s: %d bytes a write among 1,000 objects, %d among 40,000", name, small, many)
		}
	}
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A loop over a few objects does not hold the version that it reads.
func TestShortLoopHoldsItsObjectsOnly(t *testing.T) {
	f := newUnordered()
	fill(t, f, 100)
	f.Set(&item{key: "a", node: "few"})
	f.Set(&item{key: "b", node: "few"})
	other := &item{key: "other", node: "elsewhere"}
	pointer := weak.Make(other)
	f.Set(other)
	for range f.byNode.Get(f.Reader(), "few") {
		f.Delete("other")
		runtime.GC()
		if pointer.Value() != nil {
			t.Error("the loop holds an object that it does not visit")
		}
	}
	runtime.KeepAlive(f)
}

// An empty store holds nothing of the objects that it had.
func TestEmptyStoreReleasesMemory(t *testing.T) {
	heap := func() int {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc) //nolint:gosec // fits
	}
	f := newFixture()
	before := heap()
	func() { fill(t, f, 20_000) }()
	if err := f.Replace(nil, "9"); err != nil {
		t.Fatal(err)
	}
	if left := heap() - before; left > 40_000 {
		t.Errorf("%d bytes are left", left)
	}
	fill(t, f, 100)
	if n := f.Reader().Len(); n != 100 {
		t.Errorf("then it has %d objects", n)
	}
}
