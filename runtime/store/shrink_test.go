// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/table"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/trie"
)

type leaver = metav1.PartialObjectMetadata

type leavers struct {
	*Store[types.NamespacedName, *leaver]
	byNamespace Index[types.NamespacedName, *leaver, string]
	byDigit     Index[types.NamespacedName, *leaver, byte]
	byAge       Ordered[types.NamespacedName, *leaver, int64]
}

func newLeavers(opts ...Option) *leavers {
	s := &leavers{Store: ForObjects[*leaver](opts...)}
	s.byNamespace = AddNamespaces(s.Store)
	s.byDigit = AddIndex(s.Store, "digit", func(dst []byte, o *leaver) []byte {
		return append(dst, o.Name...)
	})
	s.byAge = AddOrdered(s.Store, "age", func(dst []int64, o *leaver) []int64 {
		return append(dst, o.Generation)
	}, cmp.Compare)
	AddLabels(s.Store)
	return s
}

func leaverOf(i int) *leaver {
	return &leaver{ObjectMeta: metav1.ObjectMeta{
		Namespace: fmt.Sprint("ns", i%7), Name: fmt.Sprint(i), Generation: int64(i % 5000),
		Labels: map[string]string{"a": fmt.Sprint(i % 3)},
	}}
}

// is reports how a reader differs from that of a store that has only ever had objs.
func (s *leavers) is(t *testing.T, what string, r Reader[types.NamespacedName, *leaver], objs []*leaver) {
	t.Helper()
	want := newLeavers()
	if err := want.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	same := func(part string, got, want []*leaver) {
		t.Helper()
		order := func(a, b *leaver) int { return cmp.Compare(a.Name, b.Name) }
		slices.SortFunc(got, order)
		slices.SortFunc(want, order)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s: %d objects, want %d", what, part, len(got), len(want))
		}
	}
	w := want.Reader()
	same("All", slices.Collect(r.All()), slices.Collect(w.All()))
	for _, o := range objs {
		if got, _ := r.Get(KeyOf(o)); got != o {
			t.Fatalf("%s: %s is not there", what, o.Name)
		}
	}
	for v, n := range want.byNamespace.Values(w) {
		same("namespace "+v,
			slices.Collect(s.byNamespace.Get(r, v)), slices.Collect(want.byNamespace.Get(w, v)))
		if s.byNamespace.Count(r, v) != n {
			t.Errorf("%s: %d in namespace %s, want %d", what, s.byNamespace.Count(r, v), v, n)
		}
	}
	for v := range want.byDigit.Values(w) {
		same("digit "+string(v), slices.Collect(s.byDigit.Get(r, v)), slices.Collect(want.byDigit.Get(w, v)))
	}
	if s.byDigit.Len(r) != want.byDigit.Len(w) || s.byNamespace.Len(r) != want.byNamespace.Len(w) {
		t.Errorf("%s: there are other values", what)
	}
	age := func(o *leaver) int64 { return o.Generation }
	if !slices.EqualFunc(slices.Collect(s.byAge.Ascend(r, Range[int64]{})), slices.Collect(want.byAge.Ascend(w, Range[int64]{})), func(a, b *leaver) bool {
		return age(a) == age(b)
	}) {
		t.Errorf("%s: the ages are others", what)
	}
	unique := Unique[types.NamespacedName, *leaver, int64]{s.byAge.Index}
	wantUnique := Unique[types.NamespacedName, *leaver, int64]{want.byAge.Index}
	if got, want := maps.Collect(unique.Conflicts(r)), maps.Collect(wantUnique.Conflicts(w)); !maps.Equal(got, want) {
		t.Errorf("%s: conflicts %v, want %v", what, got, want)
	}
}

// room returns the capacity of a store in slots and trie entries.
func (s *leavers) room() (bySlot, inChunks, inLeaves int) {
	vec := &s.current.Load().Vector
	for n := range vec.Chunks() {
		if vec.Chunk(n) != nil {
			inChunks += table.ChunkSize
		}
	}
	leaves := map[*trie.Leaf[uint32]]bool{}
	for hash := range uint64(1 << 18) { // what leads to any leaf
		leaves[s.current.Load().Slots.Leaf(hash)] = true
	}
	delete(leaves, nil)
	inLeaves = len(leaves) * len(trie.Leaf[uint32]{}.Entries)
	return cap(s.fingerprints) + cap(s.free), inChunks, inLeaves
}

func TestStoreShrinks(t *testing.T) {
	const n, stay = 20_000, 1500
	objs := make([]*leaver, n)
	for i := range objs {
		objs[i] = leaverOf(i)
	}
	left := make([]*leaver, 0, stay)
	for i := range stay {
		left = append(left, objs[i*13])
	}
	stays := map[*leaver]bool{}
	for _, o := range left {
		stays[o] = true
	}
	for name, leave := range map[string]func(s *leavers){
		"deleted": func(s *leavers) {
			for _, o := range objs {
				if !stays[o] {
					s.Delete(KeyOf(o))
				}
			}
		},
		"deleted in batches": func(s *leavers) {
			for some := range slices.Chunk(objs, 100) {
				var b Batch[types.NamespacedName, *leaver]
				for _, o := range some {
					if !stays[o] {
						b.Delete(KeyOf(o))
					}
				}
				if _, err := s.Apply(&b); err != nil {
					t.Fatal(err)
				}
			}
		},
		"relisted": func(s *leavers) { _ = s.Replace(left, "2") },
		"a part ends": func(s *leavers) {
			_ = s.Replace(nil, "2") // these objects are of no part
			for _, namespaceOf := range []string{"x", "y"} {
				var b Batch[types.NamespacedName, *leaver]
				for _, o := range objs {
					if namespaceOf == "y" && stays[o] || namespaceOf == "x" && !stays[o] {
						b.Set(o)
					}
				}
				if _, err := ApplyPart(s.Store, &b, namespaceOf, nil); err != nil {
					t.Fatal(err)
				}
			}
			FeederOf(s.Store).EndPart("x")
		},
	} {
		s := newLeavers()
		reported := ReportsOf(s.Store)
		s.keys.Derive = name != "deleted in batches" // there, keys are kept beside the objects
		_ = s.Replace(objs, "1")
		var b Batch[types.NamespacedName, *leaver]
		KeepStale(&b, KeyOf(left[7]))
		_, _ = s.Apply(&b)
		full := s.Reader().Snapshot()
		leave(s)
		bySlot, inChunks, inLeaves := s.room()
		if limit := n / 2; bySlot > limit || inChunks > limit || inLeaves > limit {
			t.Errorf("%s: room for %d, %d and %d of %d", name, bySlot, inChunks, inLeaves, stay)
		}
		s.is(t, name, s.Reader(), left)
		s.is(t, name+", the snapshot before", full, objs)
		if name != "relisted" && name != "a part ends" && !s.Reader().Stale(KeyOf(left[7])) {
			t.Errorf("%s: nothing is stale", name)
		}
		// It is written to as any other is.
		now := slices.Clone(left)
		for i := range now {
			if i%2 == 0 {
				now[i] = now[i].DeepCopy()
				now[i].Generation, now[i].Labels["a"] = now[i].Generation+1, "new"
				_ = s.Set(now[i])
			}
		}
		for _, o := range now[:500] {
			s.Delete(KeyOf(o))
		}
		now = now[500:]
		for i := range 2000 {
			now = append(now, leaverOf(n+i))
			_ = s.Set(now[len(now)-1])
		}
		s.is(t, name+", and written to", s.Reader(), now)
		if name == "a part ends" {
			var b Batch[types.NamespacedName, *leaver]
			b.Replace(nil)
			_, _ = ApplyPart(s.Store, &b, "z", nil)
			s.is(t, name+", and another has nothing", s.Reader(), now)
		}
		if errs := reported(); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
		_ = s.Replace(nil, "3")
		s.is(t, name+", and emptied", s.Reader(), nil)
	}
}
