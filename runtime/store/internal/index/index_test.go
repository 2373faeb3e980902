// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"errors"
	"hash/maphash"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
	"github.com/indexer-gen/indexer-gen/runtime/store/internal/posting"
)

// An object of tests is its index values. A negative one makes the index function panic.
type object []int

func valuesOf(dst []int, obj object) []int {
	if slices.ContainsFunc(obj, func(v int) bool { return v < 0 }) {
		panic(errors.New("negative"))
	}
	return append(dst, obj...)
}

// A rig is an index, its current version, and a map of what it must have.
type rig struct {
	*Index[object, int]
	versions Versions
	owner    uint64
	objs     map[uint32]object // the objects and their slots
	errs     []error
}

func newRig(order func(a, b int) int) *rig {
	r := &rig{objs: map[uint32]object{}}
	r.Index = &Index[object, int]{
		Fn: valuesOf, Order: order, Watch: &notify.List{},
		Report: func(err error) { r.errs = append(r.errs, err) },
	}
	r.Add(&r.versions, 0, maphash.MakeSeed())
	return r
}

// write stores obj in slot, or nothing if it is nil.
func (r *rig) write(slot uint32, obj object, trusted bool) {
	was, had := r.objs[slot]
	if obj == nil {
		r.StageNew(nil)
		delete(r.objs, slot)
	} else {
		r.StageNew(&obj)
		r.objs[slot] = obj
	}
	if had {
		r.StageOld(&was)
	}
	r.Commit(&r.versions, r.owner, slot, trusted)
}

func (r *rig) buckets() *Buckets[int] { return r.In(&r.versions) }

// bySlot returns the slots of each value of objs.
func bySlot(objs map[uint32]object) map[int][]uint32 {
	want := map[int][]uint32{}
	for _, slot := range slices.Sorted(maps.Keys(objs)) {
		for _, value := range dropDuplicatesAndNaNs(slices.Clone(objs[slot])) {
			want[value] = append(want[value], slot)
		}
	}
	return want
}

func checkBuckets(t *testing.T, r *rig, b *Buckets[int], want map[int][]uint32) {
	t.Helper()
	conflicts := 0
	for value, slots := range want {
		e := b.Find(r.Hash(value), value)
		if e == nil || !slices.Equal(e.Posting.AppendTo(nil), slots) {
			t.Fatalf("%d has the bucket %v, want slots %v", value, e, slots)
		}
		if len(slots) > 1 {
			conflicts++
		}
	}
	seen := map[int]bool{}
	b.Each(func(e *posting.Bucket[int]) bool {
		if seen[e.Value] || want[e.Value] == nil {
			t.Fatalf("a bucket of %d, again: %v", e.Value, seen[e.Value])
		}
		seen[e.Value] = true
		return true
	})
	if len(seen) != len(want) || b.Len() != len(want) || b.Conflicts != conflicts {
		t.Fatalf("%d buckets of %d values with %d conflicts, want %d with %d",
			len(seen), b.Len(), b.Conflicts, len(want), conflicts)
	}
	if b.Find(r.Hash(-1), -1) != nil {
		t.Fatal("a bucket of a value that no object has")
	}
}

var orders = map[string]func(a, b int) int{"hash": nil, "ordered": cmp.Compare[int]}

// An index agrees with a map after random writes, and a version keeps what it had.
func TestIndexAgainstMap(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			const slots = 600
			rng := rand.New(rand.NewPCG(1, 2))
			r := newRig(order)
			randomObject := func() object {
				obj := make(object, rng.IntN(4))
				for i := range obj {
					obj[i] = rng.IntN(300)
					if i == 0 {
						obj[i] = rng.IntN(3)
					}
				}
				return obj
			}
			type version struct {
				versions Versions
				want     map[int][]uint32
			}
			var past []version
			for slot := range uint32(slots) {
				r.write(slot, randomObject(), true)
			}
			r.buckets().Each(func(e *posting.Bucket[int]) bool {
				if slots, _ := e.Posting.Runs(); order == nil && cap(slots) > len(slots)+len(slots)/8+4 {
					t.Errorf("a posting of %d slots has room for %d", len(slots), cap(slots))
				}
				return true
			})
			for n := range 8000 {
				slot := rng.Uint32N(slots)
				obj := randomObject()
				if rng.IntN(4) == 0 {
					obj = nil
				}
				r.write(slot, obj, rng.IntN(50) > 0)
				if n%1000 == 0 {
					past = append(past, version{r.versions, bySlot(r.objs)})
					r.owner++
				}
			}
			if len(r.errs) > 0 {
				t.Errorf("errors of pure functions: %v", r.errs)
			}
			for _, v := range append(past, version{r.versions, bySlot(r.objs)}) {
				checkBuckets(t, r, r.In(&v.versions), v.want)
			}
			checkBuckets(t, r, r.Build(func(yield func(uint32, object) bool) {
				for slot, obj := range r.objs {
					yield(slot, obj)
				}
			}), bySlot(r.objs))
			for slot, obj := range r.objs {
				for _, buckets := range append(obj, 7) {
					is := func(v int) bool { return v == buckets }
					if got := r.Has(r.buckets(), slot, obj, is); got != slices.Contains(obj, buckets) {
						t.Fatalf("the object of slot %d is under %d: %v", slot, buckets, got)
					}
				}
				if r.Has(r.buckets(), slot, object{300}, func(int) bool { return true }) {
					t.Fatal("an object has a value that the index does not have")
				}
				if r.Has(r.buckets(), slots, obj, func(int) bool { return true }) {
					t.Fatal("a slot without an object has its values")
				}
			}
			for slot := range maps.Clone(r.objs) {
				r.write(slot, nil, true)
			}
			checkBuckets(t, r, r.buckets(), nil)
		})
	}
}

// Multi says whether an object has had several values.
func TestMulti(t *testing.T) {
	r := newRig(nil)
	for i, obj := range []object{{}, {1}, {2}, {3, 3}, {4, 5}, {6}} {
		r.write(uint32(i), obj, true)
		if want := i >= 4; r.buckets().Multi() != want {
			t.Errorf("after %v: %v", obj, !want)
		}
		built := r.Build(func(yield func(uint32, object) bool) { _ = yield(0, obj) && yield(1, object{7}) })
		if want := i == 4; built.Multi() != want {
			t.Errorf("an index of %v: %v", obj, !want)
		}
	}
}
