// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package store_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type meta = *metav1.PartialObjectMetadata

// TestDiff compares the differences of random snapshots with those of maps. Stores grow and shrink, so that objects
// move between slots.
func TestDiff(t *testing.T) {
	seeds := uint64(300)
	if testing.Short() {
		seeds = 40
	}
	for seed := range seeds {
		rnd := rand.New(rand.NewPCG(seed, 3))
		s := store.ForObjects[meta]()
		version := 0
		object := func() meta {
			version++
			obj := &metav1.PartialObjectMetadata{}
			obj.Name, obj.ResourceVersion = fmt.Sprint(rnd.IntN(1500)), fmt.Sprint(version)
			obj.UID = types.UID(fmt.Sprint(rnd.IntN(3)))
			return obj
		}
		old := store.Reader[types.NamespacedName, meta]{}
		for range 20 {
			for range rnd.IntN(4) {
				switch rnd.IntN(3) {
				case 0:
					objs := make([]meta, 0, 2000)
					for range rnd.IntN(cap(objs)) {
						objs = append(objs, object())
					}
					if err := s.Replace(objs, "1"); err != nil {
						t.Fatal(err)
					}
				case 1:
					for range rnd.IntN(100) {
						s.Delete(store.KeyOf(object()))
					}
				default:
					for range rnd.IntN(10) {
						if err := s.Set(object()); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
			repeat := rnd.IntN(3) == 0
			checkDiff(t, seed, old, s.Reader().Snapshot(), repeat)
			checkDiff(t, seed, s.Reader().Snapshot(), old, repeat)
			if rnd.IntN(2) == 0 {
				old = s.Reader().Snapshot()
			}
		}
	}
}

func contents(r store.Reader[types.NamespacedName, meta]) map[string]meta {
	all := map[string]meta{}
	for obj := range r.All() {
		all[obj.Name] = obj
	}
	return all
}

func checkDiff(t *testing.T, seed uint64, from, to store.Reader[types.NamespacedName, meta], repeat bool) {
	t.Helper()
	old, want := contents(from), contents(to)
	calls := map[string]int{}
	d := store.DiffOf(from, to, repeat)
	var chunk []store.Change[meta]
	next := func() (c store.Change[meta], ok bool) {
		if len(chunk) == 0 {
			chunk = d.Append(nil, 1+int(seed%5))
		}
		if len(chunk) == 0 {
			return c, false
		}
		c, chunk = chunk[0], chunk[1:]
		return c, true
	}
	for c, ok := next(); ok; c, ok = next() {
		name := c.New.Name
		had, exists := old[name]
		calls[name]++
		switch {
		case c.Type == store.Added && exists,
			c.Type != store.Added && (!exists || had != c.Old),
			c.Type == store.Updated && had == c.New && !repeat,
			c.Type == store.Updated && had.UID != c.New.UID,
			c.Type == store.Deleted && c.Cause != store.FinalStateUnknown:
			t.Fatalf("seed %d: %v of %s: was %v, old %v, new %v", seed, c.Type, name, had, c.Old, c.New)
		case c.Type == store.Deleted:
			delete(old, name)
		default:
			old[name] = c.New
		}
	}
	if len(old) != len(want) {
		t.Fatalf("seed %d: the changes lead to %d objects, want %d", seed, len(old), len(want))
	}
	for name, obj := range want {
		if old[name] != obj {
			t.Fatalf("seed %d: %s ends as %v, want %v", seed, name, old[name], obj)
		}
		if repeat && calls[name] == 0 {
			t.Fatalf("seed %d: %s is not repeated", seed, name)
		}
	}
	if calls := len(calls); repeat && calls < len(want) {
		t.Fatalf("seed %d: %d calls", seed, calls)
	}
}
