// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package store

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// The store keeps which parts share an object only while the object exists.
func TestOwnersAreForgotten(t *testing.T) {
	s := New(func(o *thing) string { return o.Name })
	rng := rand.New(rand.NewPCG(1, 1))
	const names = 3
	for range 5000 {
		var b Batch[string, *thing]
		part := fmt.Sprint("s", rng.IntN(16))
		if name := fmt.Sprint(rng.IntN(names)); rng.IntN(2) == 0 {
			b.Set(&thing{Name: name})
		} else {
			b.Delete(name)
		}
		if _, err := ApplyPart(s, &b, part, nil); err != nil {
			t.Fatal(err)
		}
	}
	shared := func() (n int) {
		for slot := range uint32(len(s.indexes.Fingerprints)) {
			holders := 0
			for id := range uint32(17) { // of 16 parts, and 0
				if s.holders.Has(slot, id) {
					holders++
				}
			}
			if holders > 1 {
				n++
			}
		}
		return n
	}
	if n := shared(); n > names {
		t.Errorf("%d of %d objects have several holders", n, names)
	}
	for i := range 16 {
		FeederOf(s).Part(fmt.Sprint("s", i)).End()
	}
	if s.Reader().Len() != 0 || shared() != 0 {
		t.Errorf("%d objects and %d shared slots are left of parts that have ended",
			s.Reader().Len(), shared())
	}
}
