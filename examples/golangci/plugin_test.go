// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package golangci

import (
	"testing"

	"github.com/golangci/plugin-module-register/register"
)

// golangci-lint asks the registry for a linter by the name in .golangci.yml.
func TestPlugin(t *testing.T) {
	create, err := register.GetPlugin("indexergen")
	if err != nil {
		t.Fatal(err)
	}
	linter, err := create(nil)
	if err != nil {
		t.Fatal(err)
	}
	analyzers, err := linter.BuildAnalyzers()
	if err != nil || len(analyzers) != 2 || linter.GetLoadMode() != register.LoadModeTypesInfo {
		t.Errorf("want two analyzers that need types, got %v, %q, %v", analyzers, linter.GetLoadMode(), err)
	}
}
