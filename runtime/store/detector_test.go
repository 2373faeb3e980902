// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"testing"
)

// tally is an object that counts how often it is written as JSON.
type tally struct{ name string }

var written int

func (c *tally) MarshalJSON() ([]byte, error) { written++; return []byte("{}"), nil }

// Of a list of more objects than are remembered none is looked at to be forgotten at once.
func TestDetectorOfALongList(t *testing.T) {
	s := New(func(c *tally) string { return c.name }, WithMutationDetector())
	list := func(n int) (looks int) {
		objs := make([]*tally, n)
		for i := range objs {
			objs[i] = &tally{fmt.Sprint(i)}
		}
		written = 0
		if err := s.Replace(objs, "1"); err != nil {
			t.Fatal(err)
		}
		return written
	}
	if looks := list(remembered + 3000); looks > remembered+1 {
		t.Errorf("%d objects are looked at, want %d", looks, remembered)
	}
	// The last are remembered, and looked at when they are replaced.
	if looks := list(remembered + 3000); looks < 2*remembered || looks > 2*remembered+1 {
		t.Errorf("%d looks at objects, want %d", looks, 2*remembered)
	}
	if n := len(s.detector.byKey); n != remembered {
		t.Errorf("%d objects are remembered, want %d", n, remembered)
	}
}
