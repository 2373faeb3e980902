// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

//go:build go1.26

package reflector

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/delta"
	"k8s.io/apimachinery/pkg/types"
)

// Among the initial events of a WatchList objects may come again. The list has what came of each
// object since it was last deleted: the last state that could be decoded, and a Stale if the latest
// could not; or else the last of the others.
func TestObjectsComeAgain(t *testing.T) {
	key := func(name string) types.NamespacedName { return types.NamespacedName{Name: name} }
	text := func(d delta.Delta[types.NamespacedName, int]) string {
		return fmt.Sprint(d.Key.Name, d.Type, d.Object, d.NoObject)
	}
	seen := map[string]bool{}
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 0))
		list := &partialList[int]{previousListSize: int(seed % 3)}
		events := map[string][]delta.Delta[types.NamespacedName, int]{}
		for version := range 12 {
			d := delta.Delta[types.NamespacedName, int]{Key: key(string(rune('a' + rng.IntN(3)))), NoObject: true}
			switch d.Type = []delta.Type{delta.Replaced, delta.Stale, delta.Kept, delta.Deleted}[rng.IntN(4)]; d.Type {
			case delta.Replaced:
				d.NoObject, d.Object = false, version
			case delta.Deleted: // perhaps with a final state
				d.NoObject = rng.IntN(2) == 0
			}
			before := events[d.Key.Name]
			came := slices.ContainsFunc(before, func(d delta.Delta[types.NamespacedName, int]) bool { return d.Type != delta.Deleted })
			if isNew := list.mergeWatchListDelta(d); isNew == (came || d.Type == delta.Deleted) {
				t.Fatalf("seed %d: %v after %v, new: %v", seed, d, before, isNew)
			}
			events[d.Key.Name] = append(before, d)
		}

		var want []string
		objects := 0
		for _, all := range events {
			left := all[:0]
			for _, d := range all {
				if left = append(left, d); d.Type == delta.Deleted {
					left = left[:0]
				}
			}
			if len(left) == 0 {
				continue
			}
			objects++
			last := left[len(left)-1]
			decoded := -1
			for i, d := range left {
				if d.Type == delta.Replaced {
					decoded = i
				}
			}
			if decoded >= 0 {
				want = append(want, text(left[decoded]))
			}
			if decoded < 0 || last.Type == delta.Stale {
				want = append(want, text(last))
			}
			seen[fmt.Sprint(decoded >= 0, last.Type)] = true
		}

		deltas, n := list.takeAll()
		var got []string
		for i, d := range deltas {
			got = append(got, text(d))
			if d.Type == delta.Replaced && slices.ContainsFunc(deltas[:i], func(e delta.Delta[types.NamespacedName, int]) bool { return e.Key == d.Key }) {
				t.Errorf("seed %d: the object of %s comes after another delta of it", seed, d.Key.Name)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || n != objects {
			t.Errorf("seed %d:\n got %d: %s\nwant %d: %s", seed, n, strings.Join(got, ", "), objects, strings.Join(want, ", "))
		}
		if list.deltasWithDeleted != nil || list.watchListPositions != nil || list.keysWithLaterStateUndecoded != nil {
			t.Fatal("a complete list holds memory")
		}
	}
	if len(seen) != 5 { // without an object it is Stale or Kept
		t.Errorf("only these came up: %v", seen)
	}
}
