// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package inbox

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

type pod = *metav1.PartialObjectMetadata

// A handler gets the same calls in the same order with and without the fastpath.
func TestFastpathDeliversWhatEntriesWould(t *testing.T) {
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(seed, 7))
		clock, d := NewClock(), NewDupes[pod]()
		var synced [2]int
		inboxes := [2]*Coalescing[pod]{}
		for i := range inboxes {
			inboxes[i] = NewCoalescing[pod](clock, func() { synced[i]++ })
		}
		live := map[string]pod{}
		version := 0
		state := func(name string) pod {
			version++
			return &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: fmt.Sprint(version)},
			}
		}
		batch := func(n int) (changes []Change[pod]) {
			for range n {
				name := fmt.Sprint("pod-", rng.IntN(8))
				old, exists := live[name]
				switch {
				case !exists:
					live[name] = state(name)
					changes = append(changes, Change[pod]{New: live[name], Kind: Added})
				case rng.IntN(3) == 0:
					delete(live, name)
					changes = append(changes, Change[pod]{Old: old, New: state(name), Kind: Deleted})
				default:
					live[name] = state(name)
					changes = append(changes, Change[pod]{Old: old, New: live[name], Kind: Updated})
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
					b.Put(Delivery[pod]{Changes: changes, Distinct: i == 0 && !d.In(changes)})
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
					b.Replay(replayed.Reader().Snapshot(), false, false)
				}
			default:
				a, aInitial, aOK := inboxes[0].Next()
				b, bInitial, bOK := inboxes[1].Next()
				if a != b || aInitial != bInitial || aOK != bOK {
					t.Fatalf(
						"seed %d, step %d: %v %v %v with the fastpath, %v %v %v without",
						seed,
						step,
						a,
						aInitial,
						aOK,
						b,
						bInitial,
						bOK,
					)
				}
			}
			n, since := inboxes[0].Waiting()
			if m, then := inboxes[1].Waiting(); n != m || (since == 0) != (then == 0) {
				t.Fatalf("seed %d, step %d: %d wait with the fastpath, %d without", seed, step, n, m)
			}
		}
		if synced[0] != synced[1] {
			t.Fatalf("seed %d: synced %v", seed, synced)
		}
	}
}

func TestDupes(t *testing.T) {
	d := NewDupes[pod]()
	named := func(namespace, name string) Change[pod] {
		return Change[pod]{
			New: &metav1.PartialObjectMetadata{
				ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
			},
			Kind: Added,
		}
	}
	var many []Change[pod]
	for i := range 5000 {
		many = append(many, named("ns", fmt.Sprint(i)))
	}
	for what, test := range map[string]struct {
		changes []Change[pod]
		want    bool
	}{
		"none":                       {nil, true},
		"one name in two namespaces": {[]Change[pod]{named("a", "x"), named("b", "x")}, true},
		"twice":                      {[]Change[pod]{named("a", "x"), named("a", "y"), named("a", "x")}, false},
		"many":                       {many, true},
		"many, and the last again":   {append(many[:len(many):len(many)], many[len(many)-1]), false},
		"few after many":             {many[:3], true},
	} {
		if got := !d.In(test.changes); got != test.want {
			t.Errorf("%s: %v, want %v", what, got, test.want)
		}
	}
}
