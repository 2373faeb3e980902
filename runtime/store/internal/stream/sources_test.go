// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package stream

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Sources have different numbers, which do not change and are reused.
func TestSourcesAgainstMap(t *testing.T) {
	const names = 12
	rng := rand.New(rand.NewPCG(1, 2))
	var s Sources
	numbers := map[string]uint32{}
	for range 5000 {
		source := fmt.Sprint("source-", rng.IntN(names))
		if rng.IntN(names) == 0 {
			source = ""
		}
		was, known := numbers[source]
		if known && rng.IntN(2) == 0 {
			s.End(source)
			if source != "" {
				delete(numbers, source)
			}
			continue
		}
		id := s.ID(source)
		if known && id != was {
			t.Fatalf("source %q has number %d, want %d", source, id, was)
		}
		if (id == 0) != (source == "") || id > names {
			t.Fatalf("source %q has number %d", source, id)
		}
		numbers[source] = id
		taken := map[uint32]string{}
		for other, id := range numbers {
			if taken[id] != "" {
				t.Fatalf("%q and %q have number %d", other, taken[id], id)
			}
			taken[id] = other
		}
	}
}

// A new source gets the number of one that has ended, but never that of "".
func TestNumbersAreReused(t *testing.T) {
	var s Sources
	a := s.ID("a")
	s.End("a")
	s.End("")
	if b, c := s.ID("b"), s.ID("c"); b != a || c == 0 || c == a {
		t.Errorf("after number %d has ended, b has %d and c has %d", a, b, c)
	}
}
