// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package informer

import (
	"fmt"
	"math/rand/v2"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

type pod = *metav1.PartialObjectMetadata

// A handler is told the same, in the same order, whether or not changes wait for it in
// front of the entries.
func TestFrontTellsWhatEntriesWould(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		clock, d := newClock(), newDistinct()
		var synced [2]int
		inboxes := [2]*coalescing[pod]{}
		for i := range inboxes {
			inboxes[i] = newCoalescing[pod](clock, func() { synced[i]++ })
		}
		live := map[string]pod{}
		version := 0
		state := func(name string) pod {
			version++
			return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: fmt.Sprint(version)}}
		}
		batch := func(n int) (changes []change[pod]) {
			for range n {
				name := fmt.Sprint("pod-", rng.IntN(8))
				old, exists := live[name]
				switch {
				case !exists:
					live[name] = state(name)
					changes = append(changes, change[pod]{new: live[name], kind: added})
				case rng.IntN(3) == 0:
					delete(live, name)
					changes = append(changes, change[pod]{old: old, new: state(name), kind: deleted})
				default:
					live[name] = state(name)
					changes = append(changes, change[pod]{old: old, new: live[name], kind: updated})
				}
			}
			return changes
		}
		replayed := store.ForObjects[pod]()
		for step := range 40 {
			switch rng.IntN(4) {
			case 0:
				changes := batch(rng.IntN(6))
				for i, b := range inboxes {
					b.put(changes, i == 0 && areDistinct(&d, changes), false, false, false)
				}
			case 1:
				if rng.IntN(4) > 0 {
					continue
				}
				objs := make([]pod, 0, len(live))
				for _, obj := range live {
					objs = append(objs, obj)
				}
				if err := replayed.Replace(objs, "1"); err != nil {
					t.Fatal(err)
				}
				for _, b := range inboxes {
					b.replay(replayed.Reader().Snapshot(), false, false)
				}
			default:
				a, aInitial, aOK := inboxes[0].next()
				b, bInitial, bOK := inboxes[1].next()
				if a != b || aInitial != bInitial || aOK != bOK {
					t.Fatalf("seed %d, step %d: %v %v %v with a front, %v %v %v without", seed, step, a, aInitial, aOK, b, bInitial, bOK)
				}
			}
			n, since := inboxes[0].waiting()
			if m, then := inboxes[1].waiting(); n != m || (since == 0) != (then == 0) {
				t.Fatalf("seed %d, step %d: %d wait with a front, %d without", seed, step, n, m)
			}
		}
		if synced[0] != synced[1] {
			t.Fatalf("seed %d: synced %v", seed, synced)
		}
	}
}

func TestAreDistinct(t *testing.T) {
	d := newDistinct()
	named := func(namespace, name string) change[pod] {
		return change[pod]{new: &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}, kind: added}
	}
	var many []change[pod]
	for i := range 5000 {
		many = append(many, named("ns", fmt.Sprint(i)))
	}
	for what, test := range map[string]struct {
		changes []change[pod]
		want    bool
	}{
		"none":                       {nil, true},
		"one name in two namespaces": {[]change[pod]{named("a", "x"), named("b", "x")}, true},
		"twice":                      {[]change[pod]{named("a", "x"), named("a", "y"), named("a", "x")}, false},
		"many":                       {many, true},
		"many, and the last again":   {append(many[:len(many):len(many)], many[len(many)-1]), false},
		"few after many":             {many[:3], true},
	} {
		if got := areDistinct(&d, test.changes); got != test.want {
			t.Errorf("%s: %v, want %v", what, got, test.want)
		}
	}
}
