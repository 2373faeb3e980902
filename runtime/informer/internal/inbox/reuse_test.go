// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package inbox

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
)

// A handler that keeps up costs no allocation for each change, and the inbox does not hold the changes
// that were delivered.
func TestKeepingUpAllocatesNothing(t *testing.T) {
	b := NewLossless[pod](10, NewClock(), func() {})
	d := Delivery[pod]{Changes: []Change[pod]{{New: named("a"), Type: delta.Added}}}
	deliver := func() {
		b.Put(&d)
		if _, _, ok := b.Next(); !ok {
			t.Fatal("no change")
		}
		if _, _, ok := b.Next(); ok {
			t.Fatal("a change came again")
		}
	}
	deliver()
	if got := testing.AllocsPerRun(100, deliver); got != 0 {
		t.Errorf("%v allocations", got)
	}
	if b.spare.changes != nil {
		t.Error("the inbox holds delivered changes")
	}
	// A second delivery that comes during the call of the first does not overwrite it.
	d.Changes = []Change[pod]{{New: named("a"), Type: delta.Added}, {New: named("b"), Type: delta.Added}}
	other := Delivery[pod]{Changes: []Change[pod]{{New: named("c"), Type: delta.Added}}}
	b.Put(&d)
	for _, want := range []string{"a", "b", "c"} {
		c, _, ok := b.Next()
		if !ok || c.New.Name != want {
			t.Fatalf("%v, %v, want %s", c.New, ok, want)
		}
		if want == "a" {
			b.Put(&other)
		}
	}
}
