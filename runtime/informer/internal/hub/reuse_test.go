// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package hub

import (
	"slices"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// A handler that keeps up costs no allocation for each change, and the inbox does not hold the changes
// that were delivered.
func TestKeepingUpAllocatesNothing(t *testing.T) {
	held := &losslessInbox[pod]{maxCountedChanges: 10}
	b := &puller{inbox: held}
	d := Delivery[pod]{Changes: []store.Change[pod]{{New: named("a"), Type: store.Added}}}
	deliver := func() {
		b.Put(&d)
		if _, _, ok := b.next(); !ok {
			t.Fatal("no change")
		}
		if _, _, ok := b.next(); ok {
			t.Fatal("a change came again")
		}
	}
	deliver()
	if got := testing.AllocsPerRun(100, deliver); got != 0 {
		t.Errorf("%v allocations", got)
	}
	if slices.ContainsFunc(held.pending[:cap(held.pending)], func(d Delivery[pod]) bool { return d.Changes != nil }) {
		t.Error("the inbox holds delivered changes")
	}
	// A second delivery that comes during the call of the first does not overwrite it.
	d.Changes = []store.Change[pod]{{New: named("a"), Type: store.Added}, {New: named("b"), Type: store.Added}}
	other := Delivery[pod]{Changes: []store.Change[pod]{{New: named("c"), Type: store.Added}}}
	b.Put(&d)
	for _, want := range []string{"a", "b", "c"} {
		c, _, ok := b.next()
		if !ok || c.New.Name != want {
			t.Fatalf("%v, %v, want %s", c.New, ok, want)
		}
		if want == "a" {
			b.Put(&other)
		}
	}
}
