// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package golden

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
)

// TestFresh fails if an emitted package is not what the generator emits now.
func TestFresh(t *testing.T) {
	result, err := generator.Run(t.Context(), generator.Config{Check: true, Patterns: []string{
		"./fleet", "./kinds", "./cluster", "./clash", "./values", "./foreign", "./slimmed", "./elsewhere",
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range result.Stale() {
		t.Errorf("%s is stale; run go generate\n%s", f.Path, f.Diff)
	}
}
