// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import "testing"

type (
	tree    map[string]tree
	forest  []forest
	growing struct {
		Tree   tree                 `json:"tree"`
		Forest forest               `json:"forest"`
		Deep   map[string][]growing `json:"deep"`
	}
)

func TestTypesThatContainThemselves(t *testing.T) {
	d := New(Options{})
	for _, text := range []string{
		`{"tree":{"a":{"b":{},"c":null},"d":{"e":{"f":{}}}},"forest":[[],[[],[[]]],null]}`,
		`{"deep":{"a":[{"deep":{"b":[{"tree":{}}]}},{"deep":{}}],"c":[]}}`,
	} {
		for range 2 {
			if err := both[growing](t, d, text); err != nil {
				t.Errorf("%v: %s", err, text)
			}
		}
	}
}
