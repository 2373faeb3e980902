// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The documentation of module runtime lists its public packages, each once.
func TestListOfPackages(t *testing.T) {
	src, err := os.ReadFile(filepath.Join(repository, "runtime", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	var listed, have []string
	for _, row := range regexp.MustCompile(`(?m)^//\t([a-z]+) +\w`).FindAllStringSubmatch(string(src), -1) {
		listed = append(listed, row[1])
	}
	for _, p := range list(t, "runtime", "./...") {
		if name, ok := strings.CutPrefix(p.ImportPath, runtimeMod+"/"); ok && !strings.Contains(name, "internal") {
			have = append(have, name)
		}
	}
	slices.Sort(listed)
	slices.Sort(have)
	if !slices.Equal(listed, have) {
		t.Errorf("runtime/doc.go lists %q, but the packages are %q", listed, have)
	}
}
