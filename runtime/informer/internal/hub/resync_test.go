// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	"k8s.io/apimachinery/pkg/types"
)

// Changes that come while a resync is being merged are merged after it: an object that the handler never
// saw, and that is deleted meanwhile, is not part of the resync.
func TestDeletionDuringAResync(t *testing.T) {
	b := newCoalescing[pod](func() {})
	r := recent[pod]{last: map[types.NamespacedName]int{}}
	put := func(changes ...store.Change[pod]) {
		d := Delivery[pod]{Changes: changes}
		r.count(&d)
		b.Put(&d)
	}
	seen, unseen := named("seen"), named("unseen")
	put(store.Change[pod]{New: seen, Type: store.Added})
	b.Next()
	put(store.Change[pod]{New: unseen, Type: store.Added})
	s := store.ForObjects[pod]()
	if err := s.Replace([]pod{seen, unseen}, "1"); err != nil {
		t.Fatal(err)
	}
	b.Put(resyncOf(s))
	b.Put(resyncOf(store.ForObjects[pod]())) // while one is pending
	put(store.Change[pod]{Old: unseen, New: unseen, Type: store.Deleted})
	want := store.Change[pod]{Old: seen, New: seen, Type: store.Updated}
	if c, _, ok := b.Next(); !ok || c != want {
		t.Errorf("got %v, %v, want %v", c, ok, want)
	}
	if c, _, ok := b.Next(); ok {
		t.Errorf("then got %v", c)
	}
}

// A resync that comes due while the last one is being delivered is left out, so that each resync delivers all
// objects.
func TestResyncsDoNotOverlap(t *testing.T) {
	b := newCoalescing[pod](func() {})
	s := store.ForObjects[pod]()
	if err := s.Replace([]pod{named("a"), named("b"), named("c")}, "1"); err != nil {
		t.Fatal(err)
	}
	for calls := range 6 {
		b.Put(resyncOf(s))
		if _, _, ok := b.Next(); !ok {
			t.Fatalf("no call after %d", calls)
		}
		if n, _ := b.Waiting(); n != 3-calls%3 {
			t.Errorf("%d are pending after %d calls", n, calls+1)
		}
	}
}

// resyncOf returns a resync of the objects in s.
func resyncOf(s *store.Store[types.NamespacedName, pod]) *Delivery[pod] {
	r := s.Reader().Snapshot()
	return &Delivery[pod]{objects: &r, resync: true, came: 1}
}
