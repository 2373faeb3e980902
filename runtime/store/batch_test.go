// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"github.com/indexer-gen/indexer-gen/runtime/mutation"
	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// No read sees a part of a batch while it is applied, not even in the index functions that it
// calls.
func TestNothingOfABatchShowsBeforeItsEnd(t *testing.T) {
	for name, fill := range map[string]func(b *store.Batch[string, *item]){
		"updates": func(b *store.Batch[string, *item]) {
			b.Set(&item{key: "a", node: "new"})
			b.Set(&item{key: "b", node: "new"})
		},
		"new ones": func(b *store.Batch[string, *item]) {
			b.Set(&item{key: "c", node: "new"})
			b.Set(&item{key: "d", node: "new"})
		},
		"deletions": func(b *store.Batch[string, *item]) {
			b.Delete("a")
			b.Set(&item{key: "b", node: "new"})
		},
		"a list": func(b *store.Batch[string, *item]) {
			b.Replace([]*item{{key: "b", node: "new"}, {key: "c", node: "new"}})
			store.KeepStale(b, "a")
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newUnordered()
			first := []*item{{key: "a", node: "old"}, {key: "b", node: "old"}}
			if err := f.Replace(first, "1"); err != nil {
				t.Fatal(err)
			}
			asked, within := 0, false
			store.AddIndex(f.Store, "reads", func(dst []string, it *item) []string {
				if !within {
					return dst
				}
				asked++
				for _, r := range []store.Reader[string, *item]{f.Reader(), f.Reader().Snapshot()} {
					a, _ := r.Get("a")
					b, _ := r.Get("b")
					if a != first[0] || b != first[1] || r.Len() != 2 || r.Stale("a") ||
						r.ResourceVersion() != "1" ||
						f.byNode.Count(
							r,
							"old",
						) != 2 || f.byNode.Count(r, "new") != 0 || len(slices.Collect(r.All())) != 2 {
						t.Errorf("while %v is indexed, a part of the batch shows", it)
					}
				}
				return dst
			})
			var b store.Batch[string, *item]
			fill(&b)
			b.ResourceVersion("2")
			within = true
			if _, err := f.Apply(&b); err != nil {
				t.Fatal(err)
			}
			if asked == 0 || f.Reader().ResourceVersion() != "2" {
				t.Errorf("the function was asked %d times: this test is of no use", asked)
			}
		})
	}
}

// A batch reuses slots: objects set after a Replace get those of objects deleted after it.
func TestReplaceThenDeleteAndSet(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	itemOf := func(i int) *item { return &item{key: fmt.Sprint("k", i)} }
	var first []*item
	for i := range 1000 {
		first = append(first, itemOf(i))
	}
	if err := s.Replace(first, "1"); err != nil {
		t.Fatal(err)
	}
	var b store.Batch[string, *item]
	b.Replace(first)
	for i := range 500 {
		b.Delete(first[i].key)
	}
	for i := 1000; i < 3000; i++ {
		b.Set(itemOf(i))
	}
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	for i := range 3000 {
		if _, ok := s.Reader().Get(itemOf(i).key); ok != (i >= 500) {
			t.Fatalf("k%d is there: %v", i, ok)
		}
	}
}

// Each Apply of a batch returns its own changes.
func TestApplyTwice(t *testing.T) {
	s := store.New(func(it *item) string {
		if it.rev < 0 {
			panic("no key")
		}
		return it.key
	})
	var b store.Batch[string, *item]
	x := &item{key: "x"}
	b.Set(x)
	first, err := s.Apply(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := s.Apply(&b); err != nil || len(got) != 1 || got[0].Type != store.Updated || got[0].Old != x {
		t.Errorf("the second time: %v", got)
	}
	if len(first) != 1 || first[0].Type != store.Added {
		t.Errorf("what the first Apply did has become %v", first)
	}
	x.rev = -1
	if got, err := s.Apply(&b); err == nil || len(got) != 0 {
		t.Errorf("an Apply that has failed, %v, has done %v", err, got)
	}
}

// A Deleted with an Object passes the final state on to the changes; Delete passes the last known state.
func TestFinalState(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	x, y, final := &item{key: "x"}, &item{key: "y"}, &item{key: "x"}
	var b store.Batch[string, *item]
	z := &item{key: "z"}
	b.Replace([]*item{x, y, z})
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	deleted := delta.Delta[string, *item]{Type: delta.Deleted, Key: "x", Object: final}
	store.Write(&b, deleted)
	b.Delete("y")
	deleted.Key = "none"
	store.Write(&b, deleted)
	store.Write(&b, delta.Delta[string, *item]{Type: delta.Deleted, FinalStateUnknown: true, Key: "z", Object: final})
	got, err := s.Apply(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Change[*item]{
		{Type: store.Deleted, Old: x, New: final},
		store.Lost(y, store.FinalStateUnknown),
		store.Lost(z, store.FinalStateUnknown),
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// An unchanged object that a Set or Replace repeats is kept, and no longer marked stale.
func TestUnchangedObjects(t *testing.T) {
	for name, repeat := range map[string]func(b *store.Batch[string, *item], it *item){
		"set":     func(b *store.Batch[string, *item], it *item) { b.Set(it) },
		"replace": func(b *store.Batch[string, *item], it *item) { b.Replace([]*item{it}) },
	} {
		s := store.New(func(it *item) string { return it.key })
		asked := 0
		store.AddIndex(s, "rev", func(dst []int, it *item) []int {
			asked++
			return append(dst, it.rev)
		})
		first := &item{key: "x", rev: 1}
		_ = s.Set(first)
		var b store.Batch[string, *item]
		store.KeepStale(&b, "x")
		if _, err := s.Apply(&b); err != nil {
			t.Fatal(err)
		}
		asked = 0
		b.Reset()
		repeat(&b, &item{key: "x", rev: 1})
		sameRev := func(old, new *item) (isSame, isOther bool) {
			if old.rev == new.rev {
				return true, false
			}
			return false, false
		}
		changes, err := store.ApplyBy(s, &b, sameRev)
		if err != nil {
			t.Fatal(err)
		}
		got, _ := s.Reader().Get("x")
		if got != first || asked != 0 || len(changes) != 0 || s.Reader().Stale("x") {
			t.Errorf("%s: has %p, want %p; %d calls, %d changes", name, got, first, asked, len(changes))
		}
		b.Delete("x")
		b.Set(&item{key: "x", rev: 1})
		b.Set(&item{key: "x", rev: 2})
		b.Set(&item{key: "x", rev: 2})
		if got, err := store.ApplyBy(s, &b, sameRev); err != nil || len(got) != 3 {
			t.Errorf("%s: %v, %d changes after a deletion in the same batch, want 3", name, err, len(got))
		}
	}
}

// A recreated object makes two changes: the last known state of the old one is deleted.
func TestRecreatedObject(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	old, other := &item{key: "x", rev: 1}, &item{key: "x", rev: 2}
	byRev := store.AddIndex(s, "rev", func(dst []int, it *item) []int { return append(dst, it.rev) })
	var b store.Batch[string, *item]
	b.Set(old)
	b.Set(other)
	store.Write(&b, delta.Delta[string, *item]{Type: delta.Deleted, Key: "x", Object: old})
	got, err := store.ApplyBy(s, &b, func(old, new *item) (isSame, isOther bool) {
		if old.rev != new.rev {
			return false, true
		}
		return false, false
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Change[*item]{
		{Type: store.Added, New: old},
		store.Lost(old, store.FinalStateUnknown),
		{Type: store.Added, New: other},
		store.Lost(other, store.FinalStateUnknown), // old is not its final state
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if n := byRev.Len(s.Reader()); n != 0 {
		t.Errorf("%d index values are left", n)
	}
}

// Deltas are written under their keys: the key function is not called.
func TestWrittenDeltasHaveKeys(t *testing.T) {
	s := store.New(func(*item) string { panic("called") })
	kept, gone := &item{rev: 1}, &item{rev: 2}
	deltas := func(types ...delta.Type) (ds []delta.Delta[string, *item]) {
		for i, d := range []delta.Delta[string, *item]{{Key: "kept", Object: kept}, {Key: "gone", Object: gone}} {
			if i < len(types) {
				d.Type = types[i]
				ds = append(ds, d)
			}
		}
		return ds
	}
	var b store.Batch[string, *item]
	store.Write(&b, deltas(delta.Added, delta.Sync)...)
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	b.Reset()
	b.Replace(nil)
	store.Write(&b, deltas(delta.Kept)...)
	got, err := s.Apply(&b)
	if err != nil {
		t.Fatal(err)
	}
	want := []store.Change[*item]{store.Lost(gone, store.FinalStateUnknown)}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got, ok := s.Reader().Get("kept"); !ok || got != kept {
		t.Errorf("the kept object is %v", got)
	}
}

// The changes of a batch are those of its writes, one by one.
func TestChangesOfABatchAreThoseOfEachWrite(t *testing.T) {
	compare := func(old, new *item) (isSame, isOther bool) {
		switch {
		case old.node != new.node:
			return false, true
		case old.rev == new.rev:
			return true, false
		}
		return false, false
	}
	text := func(c store.Change[*item]) string {
		old := item{}
		if c.Old != nil {
			old = *c.Old
		}
		return fmt.Sprint(c.Type, c.Cause, old, *c.New)
	}
	type kind struct {
		store.ChangeType
		store.Cause
	}
	seen := map[kind]bool{}
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 1))
		key := func(it *item) string { return it.key }
		whole, single := store.New(key), store.New(key)
		var b store.Batch[string, *item]
		var want, got []string
		for range 200 {
			key := fmt.Sprint("k", rng.IntN(40))
			d := delta.Delta[string, *item]{
				Type: delta.Type(rng.IntN(7) + 1), Key: key, NoObject: rng.IntN(4) == 0,
				Object: &item{key: key, rev: rng.IntN(3), node: fmt.Sprint("n", rng.IntN(2))},
			}
			d.NoObject = d.Type == delta.Stale || d.Type == delta.Kept || d.Type == delta.Deleted && d.NoObject
			d.FinalStateUnknown = d.Type == delta.Deleted && rng.IntN(4) == 0
			store.Write(&b, d)
			var one store.Batch[string, *item]
			store.Write(&one, d)
			changes, err := store.ApplyBy(single, &one, compare)
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range changes {
				want = append(want, text(c))
				seen[kind{c.Type, c.Cause}] = true
			}
		}
		changes, err := store.ApplyBy(whole, &b, compare)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range changes {
			got = append(got, text(c))
		}
		if !slices.Equal(got, want) {
			t.Errorf("seed %d: got %v, want %v", seed, got, want)
		}
	}
	if len(seen) != 4 {
		t.Errorf("only %d kinds of changes came up: this test is of no use", len(seen))
	}
}

// The changes of a batch that repeats most objects do not hold the memory of changes of all.
func TestFewChangesOfALargeBatchAreSmall(t *testing.T) {
	s := store.New(func(it *item) string { return it.key })
	objs := make([]*item, 1000)
	for i := range objs {
		objs[i] = &item{key: fmt.Sprint(i)}
	}
	_ = s.Replace(objs, "1")
	objs[7] = &item{key: "7", rev: 1}
	var b store.Batch[string, *item]
	compare := func(old, new *item) (isSame, isOther bool) {
		if old.rev == new.rev {
			return true, false
		}
		return false, false
	}
	b.Replace(objs)
	for _, kind := range []string{"a list", "a batch"} {
		if got, err := store.ApplyBy(s, &b, compare); err != nil || len(got) != 1 || cap(got) > 4 {
			t.Errorf("%s: %v, %d changes in the memory of %d", kind, err, len(got), cap(got))
		}
		b.Reset()
		objs[7] = &item{key: "7", rev: 2}
		for _, it := range objs {
			b.Set(it)
		}
	}
}

func init() { store.Detecting = mutation.WithDetector() }

// Objects that were written with their keys are watched under these.
func TestMutationOfAWrittenDelta(t *testing.T) {
	s := store.New(func(*item) string { panic("called") }, mutation.WithDetector())
	objs := []*item{{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, {ObjectMeta: metav1.ObjectMeta{Name: "b"}}}
	var b store.Batch[string, *item]
	for _, o := range objs {
		store.Write(&b, delta.Delta[string, *item]{Type: delta.Added, Key: o.Name, Object: o})
	}
	if _, err := s.Apply(&b); err != nil {
		t.Fatal(err)
	}
	objs[0].Name = "changed"
	var found *store.MutationError
	if err := s.CheckMutations(); !errors.As(err, &found) || found.Key != "a" {
		t.Errorf("got %v, want a mutation of a", err)
	}
}
