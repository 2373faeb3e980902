// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"testing"
)

// Of a list of more objects than are remembered none is copied to be forgotten at once.
func TestDetectorOfALongList(t *testing.T) {
	s := New(func(o *thing) string { return o.Name }, WithMutationDetector())
	list := func(n int) []failure {
		var b Batch[string, *thing]
		objs := make([]*thing, n)
		for i := range objs {
			objs[i] = &thing{Name: fmt.Sprint(i)}
		}
		b.Replace(objs)
		wanted, err := s.keys(&b)
		if err != nil {
			t.Fatal(err)
		}
		return s.apply(&b, wanted)
	}
	if looks := list(remembered + 3000); len(looks) > 1 {
		t.Errorf("%d objects are looked at that were not there before", len(looks))
	}
	// The last are remembered, and looked at when they are replaced.
	if looks := list(remembered + 3000); len(looks) < remembered || len(looks) > remembered+1 {
		t.Errorf("%d objects are looked at, want %d", len(looks), remembered)
	}
	if n := len(s.detector.byKey); n != remembered {
		t.Errorf("%d objects are remembered, want %d", n, remembered)
	}
}
