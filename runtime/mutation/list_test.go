// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package mutation

import (
	"fmt"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// tally is an object that counts how often it is written as JSON.
type tally struct{ name string }

var written int

func (c *tally) MarshalJSON() ([]byte, error) { written++; return []byte("{}"), nil }

// A list of more objects than the detector watches costs no more than one of as many.
func TestMutationDetectorOfALongList(t *testing.T) {
	s := store.New(func(c *tally) string { return c.name }, WithDetector())
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
	if looks := list(maxWatched + 3000); looks > maxWatched+1 {
		t.Errorf("%d objects are looked at, want %d", looks, maxWatched)
	}
	// The last are watched, and compared when they are replaced.
	if looks := list(maxWatched + 3000); looks < 2*maxWatched || looks > 2*maxWatched+1 {
		t.Errorf("%d looks at objects, want %d", looks, 2*maxWatched)
	}
}
