// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"strings"
	"testing"

	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// TestFormatShowsLines of source that does not parse, with their numbers.
func TestFormatShowsLines(t *testing.T) {
	_, err := Format("x.go", []byte("package p\n\nfunc f() {\n\treturn return\n}\n"))
	if err == nil || !strings.Contains(err.Error(), "    4\t\treturn return\n") {
		t.Errorf("format() = %v", err)
	}
}

func TestFormatGroupsImports(t *testing.T) {
	got, err := Format("x.go", []byte("package p\n\nimport (\n\"k8s.io/x\"\n\"iter\"\n\"a.b/c\"\n)\nvar _ iter.Seq[ x.X]\n"))
	want := "package p\n\nimport (\n\t\"iter\"\n\n\t\"a.b/c\"\n\t\"k8s.io/x\"\n)\n\nvar _ iter.Seq[x.X]\n"
	if err != nil || string(got) != want {
		t.Errorf("format() = %s, %v", got, err)
	}
}

func TestCheckHeader(t *testing.T) {
	for text, ok := range map[string]bool{
		"": true, "// a\n// b\n": true, "/*\nCopyright.\n*/\n": true, "// a\n\n/* b */": true,
		"Copyright": false, "/* open": false, "package x\n": false, "// a\nvar x int\n": false,
		"package p\n\nvar x int\n": false, "#!/bin/sh": false,
	} {
		if err := target.CheckHeader("h", text); (err == nil) != ok {
			t.Errorf("checkHeader(%q) = %v", text, err)
		}
	}
}
