// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"math/rand/v2"
	"testing"

	"github.com/indexer-gen/indexer-gen/runtime/wire/internal/skip"
)

func names(path ...string) (steps []skip.Step) {
	for _, name := range path {
		steps = append(steps, skip.Step{Name: name, Any: name == "*"})
	}
	return steps
}

func TestNamesDoNotHideWhatIsBelowAny(t *testing.T) {
	for _, test := range []struct {
		paths [][]skip.Step
		text  string
		want  string
	}{
		{
			[][]skip.Step{names("map", "*", "a"), names("map", "x", "b")},
			`{"map":{"x":{"a":1,"b":2,"c":3},"y":{"a":1,"b":2,"c":3}}}`, `{"map":{"x":{"c":3},"y":{"b":2,"c":3}}}`,
		},
		{
			[][]skip.Step{names("*", "*", "a"), names("m", "*", "b"), names("*", "x", "c"), names("m", "x", "d")},
			`{"m":{"x":{"a":1,"b":2,"c":3,"d":4},"y":{"a":1,"b":2,"c":3,"d":4}},"n":{"x":{"a":1,"b":2,"c":3,"d":4}}}`,
			`{"m":{"x":{},"y":{"c":3,"d":4}},"n":{"x":{"b":2,"d":4}}}`,
		},
		{[][]skip.Step{names("*"), names("x", "b")}, `{"x":{"b":1},"y":2}`, `{}`},
	} {
		for range 20 {
			set := &skip.Paths{}
			for _, i := range rand.Perm(len(test.paths)) {
				set.Add(test.paths[i])
			}
			if got := string(Prune([]byte(test.text), set)); got != test.want {
				t.Fatalf("%s was pruned to %s, want %s", test.text, got, test.want)
			}
		}
	}
}
