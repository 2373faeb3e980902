// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"sync"
	"testing"
	"time"

	"github.com/indexer-gen/indexer-gen/runtime/store"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An inbox says that it has waited when it had to read a snapshot, or somebody else held
// what it needed; not when the next call was at hand.
func TestInboxSaysThatItHasWaited(t *testing.T) {
	held := store.ForObjects[pod]()
	objs := []pod{named("a"), named("b")}
	if err := held.Replace(objs, "1"); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string]inbox[pod]{
		"lossless":   newLossless[pod](10, func() {}),
		"coalescing": newCoalescing[pod](func() {}),
	} {
		r := held.Reader().Snapshot()
		b.Put(&Delivery[pod]{objects: &r, Initial: true, Last: true})
		for n, want := range []bool{true, false} {
			if _, _, ok := b.Next(); !ok || b.Waited() != want {
				t.Errorf("%s: call %d: %v, waited %v", name, n, ok, b.Waited())
			}
		}
	}
	b := newCoalescing[pod](func() {})
	for held := time.Microsecond; !b.Waited(); held *= 2 { // until it has been asked meanwhile
		b.Put(&Delivery[pod]{Changes: []store.Change[pod]{{New: objs[0], Type: store.Added}, {New: objs[1], Type: store.Added}}})
		var asked sync.WaitGroup
		b.mu.Lock()
		asked.Go(func() { b.Next() })
		time.Sleep(held)
		b.mu.Unlock()
		asked.Wait()
	}
	if b.Next(); b.Waited() {
		t.Error("an entry was at hand, and it says that it has waited")
	}
}

func named(name string) pod {
	return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: name}}
}
