// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"bytes"
	"go/parser"
	"os"
	"path/filepath"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// reportTestFileMarkers reports markers in the test files of a package. Emitted code is compiled without
// these files, so they are not loaded. Comments that only resemble markers are ignored.
func reportTestFileMarkers(p *load.Program, pkg *loader.Package) {
	if len(pkg.GoFiles) == 0 {
		return
	}
	names, _ := filepath.Glob(filepath.Join(filepath.Dir(pkg.GoFiles[0]), "*_test.go"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || !bytes.Contains(text, []byte("+index")) {
			continue
		}
		file, err := parser.ParseFile(p.Report.FileSet, name, text,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			continue // the go command reports the error
		}
		for _, comment := range marker.Comments(p.Report.FileSet, file) {
			if comment.Problem == "" && !comment.Kube {
				p.Report.At(comment.Pos,
					"a marker in a test file has no effect, because emitted code is compiled without tests; "+
						"move what is marked to a file whose name does not end with _test.go, or remove the "+
						"marker")
			}
		}
	}
}
