// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The tests that the table of runtime's documentation names exist.
func TestCounterpartsAreTested(t *testing.T) {
	doc, err := os.ReadFile(filepath.Join(repository, "runtime", "doc.go"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`([a-z]+)\.(Test[A-Za-z]+)\n`).FindAllStringSubmatch(string(doc), -1)
	if len(named) < 20 {
		t.Fatalf("the table names %d tests", len(named))
	}
	for _, name := range named {
		files, _ := filepath.Glob(filepath.Join(repository, "runtime", name[1], "*_test.go"))
		found := false
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(src), "\nfunc "+name[2]+"(t *testing.T)")
		}
		if !found {
			t.Errorf("there is no %s in runtime/%s", name[2], name[1])
		}
	}
}
