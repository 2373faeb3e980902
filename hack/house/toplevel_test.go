// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The top level has what a newcomer looks for there, and nothing else.
func TestTopLevel(t *testing.T) {
	permitted := []string{
		".ci", ".github", ".gitignore", ".golangci.yml", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
		"README.md", "SECURITY.md", "cmd", "docs", "examples", "generator", "go.mod", "go.sum", "go.work",
		"go.work.sum", "hack", "runtime", "templates",
	}
	var found []string
	for _, name := range files(t) {
		top, _, _ := strings.Cut(name, "/")
		if !slices.Contains(found, top) {
			found = append(found, top)
		}
	}
	for _, top := range found {
		if !slices.Contains(permitted, top) {
			t.Errorf("%s does not belong on the top level", top)
		}
	}
	for _, top := range permitted {
		if !slices.Contains(found, top) {
			t.Errorf("%s is missing on the top level", top)
		}
	}
}

// Each public package of runtime has an example for its documentation.
func TestExamples(t *testing.T) {
	has := map[string]bool{}
	for _, name := range files(t) {
		dir := filepath.Dir(name)
		if !strings.HasPrefix(dir, "runtime/") || !strings.HasSuffix(name, ".go") ||
			strings.Contains(dir, "internal") || strings.Contains(dir, "testdata") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(repository, name))
		if os.IsNotExist(err) {
			continue // deleted, and not yet committed
		} else if err != nil {
			t.Fatal(err)
		}
		has[dir] = has[dir] || strings.HasSuffix(name, "_test.go") && strings.Contains(string(src), "\nfunc Example")
	}
	if len(has) < 20 {
		t.Fatalf("runtime has %d packages", len(has))
	}
	for dir, example := range has {
		if !example {
			t.Errorf("%s has no example", dir)
		}
	}
}
