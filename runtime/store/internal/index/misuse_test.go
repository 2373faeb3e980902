// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store/internal/notify"
)

// An index is repaired if the values of an object have changed, and the watchers of the values
// that it was under are notified.
func TestChangedValuesAreRepaired(t *testing.T) {
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			for _, lie := range []object{{}, {3}, {1, 2, 3}, {1}, {5}} {
				for _, trusted := range []bool{true, false} {
					r := newRig(order)
					r.write(0, object{1, 2}, true)
					r.write(1, object{1}, true)
					r.write(2, object{5}, true)
					r.objs[0] = lie
					r.write(0, object{4}, trusted)
					// A trusted write notices only values that the object is not under.
					if trusted && !slices.ContainsFunc(lie, func(v int) bool { return v > 2 }) {
						continue
					}
					if len(r.errs) != 1 || !errors.Is(r.errs[0], ErrImpure) {
						t.Errorf("{1, 2} became %v: %v", lie, r.errs)
					}
					checkBuckets(t, r, r.buckets(), map[int][]uint32{1: {1}, 4: {0}, 5: {2}})
				}
			}
		})
	}
}

func TestRepairNotifiesTheWatchersOfTheOldValues(t *testing.T) {
	r := newRig(nil)
	r.write(0, object{1}, true)
	sig := notify.NewSignal()
	defer r.Watch.Register(sig, watch{r.Index, 1})()
	r.Watch.Fire() // registered during a write
	<-sig.Signal
	r.objs[0] = object{2}
	r.write(0, object{3}, false)
	r.Watch.Fire()
	select {
	case <-sig.Signal:
	default:
		t.Error("the watcher of the value that the object was under was not notified")
	}
}

// watch is a query for one value.
type watch struct {
	index *Index[object, int]
	value int
}

func (w watch) Watch(_ *notify.List, sig *notify.Signal) (unwatch func()) {
	return w.index.Watchers.Add(w.value, sig)
}

// An order that returns 0 for different values is reported, and later writes report no impure
// function.
func TestOrderThatTakesValuesForEqual(t *testing.T) {
	r := newRig(func(a, b int) int { return cmp.Compare(a/10, b/10) })
	r.write(0, object{11}, true)
	r.write(1, object{12}, true)
	r.write(1, object{22}, true)
	if len(r.errs) != 1 || !errors.Is(r.errs[0], errOrder) {
		t.Errorf("errors %v, want %v", r.errs, errOrder)
	}
	checkBuckets(t, r, r.buckets(), map[int][]uint32{11: {0}, 22: {1}})
	if r.buckets().Find(0, 23) != nil {
		t.Error("23 has the bucket of 22")
	}
}

// A function that ignores dst and returns a slice of the object does not have it changed.
func TestFunctionThatReturnsItsObject(t *testing.T) {
	r := newRig(nil)
	r.Fn = func(_ []int, obj object) []int { return obj }
	objs := []object{{3, 3, 1}, {}, nil, {2, 1, 2, 4}, {5}}
	for i, obj := range objs {
		before := slices.Clone(obj)
		r.write(0, obj, true)
		if !slices.Equal(obj, before) {
			t.Errorf("%v became %v", before, obj)
		}
		checkBuckets(t, r, r.buckets(), bySlot(map[uint32]object{0: objs[i]}))
	}
}

// A function that panics has no values, before and after.
func TestPanics(t *testing.T) {
	r := newRig(nil)
	bad := object{1, -1}
	if got := r.ValuesOf(bad); len(got) > 0 {
		t.Errorf("values %v", got)
	}
	if got := r.StageNew(&bad); got != 0 {
		t.Errorf("fingerprint %d", got)
	}
	r.Commit(&r.versions, 0, 0, true)
	if len(r.errs) != 1 || r.errs[0].Error() != "panic: negative" {
		t.Errorf("errors %v", r.errs)
	}
	checkBuckets(t, r, r.buckets(), nil)
	r.objs[0] = bad
	r.write(0, object{5}, true)
	checkBuckets(t, r, r.buckets(), map[int][]uint32{5: {0}})
	if got := Contained("text").Error(); got != "panic: text" {
		t.Errorf("the panic of a text is %q", got)
	}
}

// An index of interfaces is refused.
func TestInterfacesAreRefused(t *testing.T) {
	refused := func(err error) bool { return errors.Is(err, errInterface) }
	for name, c := range map[string]struct {
		err  error
		want bool
	}{
		"any":   {panicOf[any](), true},
		"array": {panicOf[[2]fmt.Stringer](), true},
		"struct": {panicOf[struct {
			A int
			B struct{ C error }
		}](), true},
		"string": {panicOf[string](), false},
		"plain":  {panicOf[struct{ A [2]int }](), false},
	} {
		if refused(c.err) != c.want {
			t.Errorf("%s: %v", name, c.err)
		}
	}
}

// panicOf returns the panic of an index with values of type V.
func panicOf[V comparable]() error {
	x := &Index[int, V]{Fn: func(dst []V, _ int) []V { return dst }}
	x.Add(&Versions{}, 0, maphash.MakeSeed())
	var q hashedValues[V]
	return x.computeValues(&q, 0)
}
