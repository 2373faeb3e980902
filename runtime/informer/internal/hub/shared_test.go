// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

type pod = *metav1.PartialObjectMetadata

// pods makes random changes of eight objects.
type pods struct {
	*rand.Rand
	live    map[string]pod
	version int
}

func (p *pods) state(name string) pod {
	p.version++
	return &metav1.PartialObjectMetadata{
		ObjectMeta: metav1.ObjectMeta{Name: name, ResourceVersion: fmt.Sprint(p.version)},
	}
}

func (p *pods) batch(n int) (changes []store.Change[pod]) {
	for range n {
		name := fmt.Sprint("pod-", p.IntN(8))
		old, exists := p.live[name]
		switch {
		case !exists:
			p.live[name] = p.state(name)
			changes = append(changes, store.Change[pod]{New: p.live[name], Type: store.Added})
		case p.IntN(3) == 0:
			delete(p.live, name)
			changes = append(changes, store.Change[pod]{Old: old, New: p.state(name), Type: store.Deleted})
		default:
			p.live[name] = p.state(name)
			changes = append(changes, store.Change[pod]{Old: old, New: p.live[name], Type: store.Updated})
		}
	}
	return changes
}

func (p *pods) snapshot(t *testing.T) store.Reader[types.NamespacedName, pod] {
	s := store.ForObjects[pod]()
	objs := make([]pod, 0, len(p.live))
	for _, obj := range p.live {
		objs = append(objs, obj)
	}
	if err := s.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	return s.Reader().Snapshot()
}

// A handler gets the same calls in the same order whether or not its inbox shares changes with others.
func TestSharedChangesAreDeliveredAsEntriesWouldBe(t *testing.T) {
	for seed := range uint64(2000) {
		p := &pods{Rand: rand.New(rand.NewPCG(seed, 7)), live: map[string]pod{}}
		var synced [2]int
		shared := newCoalescing[pod](func() { synced[0]++ })
		merged := newCoalescing[pod](func() { synced[1]++ })
		r := recent[pod]{last: map[types.NamespacedName]int{}}
		for step := range 40 {
			switch p.IntN(4) {
			case 0:
				d := Delivery[pod]{Changes: p.batch(p.IntN(6)), Last: p.IntN(8) == 0, came: 1}
				r.count(&d)
				shared.Put(&d)
				d.repeats = d.number
				merged.Put(&d)
			case 1:
				if p.IntN(4) == 0 {
					r := p.snapshot(t)
					shared.Put(&Delivery[pod]{objects: &r, resync: true, came: 1})
					merged.Put(&Delivery[pod]{objects: &r, resync: true, came: 1})
				}
			default:
				a, aInitial, aOK := shared.Next()
				b, bInitial, bOK := merged.Next()
				if a != b || aInitial != bInitial || aOK != bOK {
					t.Fatalf("seed %d, step %d: %v %v %v if shared, %v %v %v if merged",
						seed, step, a, aInitial, aOK, b, bInitial, bOK)
				}
			}
			n, since := shared.Waiting()
			if m, then := merged.Waiting(); n != m || (since == 0) != (then == 0) {
				t.Fatalf("seed %d, step %d: %d pending if shared, %d if merged", seed, step, n, m)
			}
		}
		if (synced[0] > 0) != (synced[1] > 0) {
			t.Fatalf("seed %d: synced %v", seed, synced)
		}
	}
}
