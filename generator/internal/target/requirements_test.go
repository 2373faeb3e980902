// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package target_test

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/mod/modfile"

	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// What emitted code is said to need is what the runtime needs.
func TestGoVersion(t *testing.T) {
	name := filepath.Join("..", "..", "..", "runtime", "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := modfile.ParseLax(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	if mod.Go.Version != target.GoVersion+".0" {
		t.Errorf("the runtime needs go %s, and projects are asked for go %s", mod.Go.Version, target.GoVersion)
	}
	for _, r := range mod.Require {
		if r.Mod.Path == "k8s.io/apimachinery" && r.Mod.Version != target.Apimachinery {
			t.Errorf("the runtime needs apimachinery %s, and projects are asked for %s", r.Mod.Version, target.Apimachinery)
		}
	}
}
