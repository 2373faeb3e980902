// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"bytes"
	"go/parser"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// testFiles reports markers in the test files of a package, which are not loaded:
// emitted code is compiled without them.
func testFiles(p *program, pkg *loader.Package) {
	if len(pkg.GoFiles) == 0 {
		return
	}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(pkg.GoFiles[0]), "*_test.go"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("+index")) {
			continue
		}
		file, err := parser.ParseFile(p.report.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // the go command will say so
		}
		for _, comment := range markerComments(file) {
			if strings.HasPrefix(comment.text, "+index") {
				p.report.at(comment.pos, "a marker in a test file does not count; move what is marked to a file that is no test")
			}
		}
	}
}
