// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"fmt"
	"runtime"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

func TestPointReadsAndIndexReadsAllocateNothing(t *testing.T) {
	f := newFixture()
	fill(t, f, 1000)
	live, n := f.Reader(), 0
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for read, do := range map[string]func(){
			"Get": func() { r.Get("k7") },
			"Of": func() {
				for it := range f.byNode.Get(r, "n7") {
					n += len(it.key)
				}
			},
			"Count": func() { f.byNode.Count(r, "n7") },
			"All": func() {
				for it := range r.All() {
					n += len(it.key)
				}
			},
			"Len": func() { r.Len() },
		} {
			if got := testing.AllocsPerRun(100, do); got != 0 {
				t.Errorf("%s %s: %v allocations", name, read, got)
			}
		}
	}
}

// cost returns the bytes and allocations of one call of do.
func cost(do func()) (bytes, allocs uint64) {
	const runs = 200
	do()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		do()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs, (after.Mallocs - before.Mallocs) / runs
}

// A single write copies the nodes on its way, and of what grows with the store only a pointer for
// each 1,024 objects.
func TestSingleWritesAllocateLittle(t *testing.T) {
	for _, n := range []int{1000, 100_000} {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		byNode := store.AddIndex(s, "Node", func(dst []string, o *metav1.PartialObjectMetadata) []string {
			return append(dst, o.Annotations["node"])
		})
		store.AddNamespaces(s)
		objs := make([]*metav1.PartialObjectMetadata, n)
		for i := range objs {
			objs[i] = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
				ResourceVersion: "1", Namespace: fmt.Sprint("ns", i%(n/100)), Name: fmt.Sprint("pod", i),
				Annotations: map[string]string{"node": fmt.Sprint("node", i%(n/50))},
			}}
		}
		if err := s.Replace(objs, "1"); err != nil {
			t.Fatal(err)
		}
		i := 0
		bytes, allocs := cost(func() { i++; _ = s.Set(objs[i*7919%n]) })
		if bytes > 1700 || allocs > 5 {
			t.Errorf("%d objects: an update takes %d B and %d allocations, want 1700 and 5", n, bytes, allocs)
		}
		moved := make([]*metav1.PartialObjectMetadata, 300)
		for i := range moved {
			moved[i] = objs[i*7919%n].DeepCopy()
			moved[i].Annotations["node"] = fmt.Sprint("node", i%(n/50))
		}
		bytes, allocs = cost(func() { i++; _ = s.Set(moved[i%len(moved)]) })
		if bytes > 5000 || allocs > 20 {
			t.Errorf("%d objects: a move takes %d B and %d allocations, want 5000 and 20", n, bytes, allocs)
		}
		if byNode.Len(s.Reader()) != n/50 {
			t.Errorf("%d nodes", byNode.Len(s.Reader()))
		}
	}
}

func TestReadsOfEveryKindAllocateLittle(t *testing.T) {
	f := newFixture()
	for i := range 1000 {
		f.Set(&item{
			key: fmt.Sprint("k", i), name: fmt.Sprint(i), age: i % 50,
			node: fmt.Sprint("n", i%10), labels: []string{"all"},
		})
	}
	live, n := f.Reader(), 0
	both := store.AllOf(f.byNode.Equal("n7"), f.byAge.Equal(7))
	for name, r := range map[string]store.Reader[string, *item]{"live": live, "frozen": live.Snapshot()} {
		for _, read := range []struct {
			what string
			most float64
			do   func()
		}{
			{"Snapshot", 0, func() { r.Snapshot() }},
			{"Unique.Get", 0, func() { f.byName.Get(r, "7") }},
			{"Query.Count of one value", 0, func() { f.byNode.Count(r, "n7") }},
			{"Ascend", 6, func() {
				for it := range f.byAge.Ascend(r, store.Between(10, 12)) {
					n += len(it.key)
				}
			}},
			{"an intersection", 4, func() {
				for it := range both.Get(r) {
					n += len(it.key)
				}
			}},
		} {
			if got := testing.AllocsPerRun(100, read.do); got > read.most {
				t.Errorf("%s %s: %v allocations, want at most %v", name, read.what, got, read.most)
			}
		}
	}
}

// A batch of one update copies no more than 2 KB, however many parts the source has.
func TestBatchAmongManyPartsAllocatesLittle(t *testing.T) {
	for _, parts := range []int{1, 1000} {
		s := store.ForObjects[*metav1.PartialObjectMetadata]()
		store.FeederOf(s) // batches set the resourceVersion
		names, rvs := make([]string, parts), make([]string, 300)
		var b store.Batch[types.NamespacedName, *metav1.PartialObjectMetadata]
		objs := make([]*metav1.PartialObjectMetadata, parts)
		for i := range names {
			names[i] = fmt.Sprint("part", i)
			objs[i] = &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: names[i]}}
		}
		for i := range rvs {
			rvs[i] = fmt.Sprint(i + 1)
		}
		i := 0
		update := func() {
			b.Reset()
			b.Set(objs[i*7%parts])
			b.ResourceVersion(rvs[i%len(rvs)])
			if _, err := store.ApplyPart(s, &b, names[i*7%parts], nil); err != nil {
				t.Fatal(err)
			}
			i++
		}
		for range parts {
			update()
		}
		bytes, allocs := cost(update)
		if bytes > 2048 || allocs > 10 {
			t.Errorf("%d parts: a batch takes %d B and %d allocations, want 2048 and 10", parts, bytes, allocs)
		}
	}
}
