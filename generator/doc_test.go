// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocNamesEveryFile holds the stages in the package comment against the files that
// are there.
func TestDocNamesEveryFile(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{"doc.go": true}
	for _, name := range regexp.MustCompile(`\b\w+\.go\b`).FindAllString(string(doc), -1) {
		named[name] = true
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if !named[name] && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("doc.go does not say of which stage %s is", name)
		}
		delete(named, name)
	}
	for name := range named {
		t.Errorf("doc.go names %s, which is not there", name)
	}
}
