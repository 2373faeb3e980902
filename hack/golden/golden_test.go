// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package golden

import (
	"testing"

	"github.com/indexer-gen/indexer-gen/generator"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// TestFresh fails if an emitted package is not what the generator emits now.
func TestFresh(t *testing.T) {
	for _, cfg := range []generator.Config{
		{Patterns: []string{"./fleet", "./kinds", "./cluster", "./clash", "./values", "./foreign", "./slimmed", "./references", "./states"}},
		{Patterns: []string{"./elsewhere"}, Output: "elsewhere/cache"},
		{Patterns: []string{"./opts"}, Output: "opts/conn"},
		{Patterns: []string{"./tenants"}, Targets: []model.Target{model.ClientGo, model.ControllerRuntime}},
	} {
		cfg.Check = true
		result, err := generator.Run(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range result.Stale() {
			t.Errorf("%s is stale; run go generate\n%s", f.Path, f.Diff)
		}
	}
}
