// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package skip

import (
	"math/rand/v2"
	"testing"
)

func names(path ...string) (steps []Step) {
	for _, name := range path {
		steps = append(steps, Step{Name: name, Any: name == "*"})
	}
	return steps
}

// covers is what a set of paths means: that a path, or one that it is below of, is in it.
func covers(paths [][]Step, path ...string) bool {
	for _, steps := range paths {
		matches := len(steps) <= len(path)
		for i := 0; matches && i < len(steps); i++ {
			matches = steps[i].Any || steps[i].Name == path[i]
		}
		if matches {
			return true
		}
	}
	return false
}

func TestPathsAreWhatWasAdded(t *testing.T) {
	alphabet := []string{"a", "b", "*"}
	for range 2000 {
		var paths [][]Step
		set := &Paths{}
		for range 1 + rand.IntN(5) {
			path := make([]string, 1+rand.IntN(3))
			for i := range path {
				path[i] = alphabet[rand.IntN(len(alphabet))]
			}
			paths = append(paths, names(path...))
			set.Add(names(path...))
		}
		for n := range 81 {
			path := []string{}
			for ; n > 0; n /= 3 {
				path = append(path, []string{"a", "b", "c"}[n%3])
			}
			if got, want := set.Has(path...), covers(paths, path...); got != want {
				t.Fatalf("%v: has %v %v, want %v", paths, path, got, want)
			}
		}
	}
}
