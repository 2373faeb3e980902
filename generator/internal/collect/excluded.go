// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"go/ast"
	"go/parser"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// reportExcludedMarkers reports markers in files of a package that build constraints exclude.
//
// If all markers of a package are in excluded files, the package belongs to another build.
// A pattern like ./... skips such a package. If a pattern names it, its markers are reported.
func reportExcludedMarkers(p *load.Program, cfg target.Options, pkg *loader.Package) {
	here := slices.ContainsFunc(p.Files(pkg), func(file *ast.File) bool {
		return len(marker.Comments(p.Report.FileSet, file)) > 0
	})
	if !here && !cfg.Names(pkg) {
		return
	}
	for _, name := range pkg.IgnoredFiles {
		if !load.HandWritten(name) {
			continue
		}
		file, err := parser.ParseFile(p.Report.FileSet, name, nil,
			parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || file.Name.Name != pkg.Name {
			continue // the build that includes the file reports its errors
		}
		condition := load.Constraint(file)
		if condition == "ignore" { // never built
			continue
		}
		if condition == "" {
			condition = "GOOS, GOARCH and CGO_ENABLED fit it"
		}
		for _, m := range marker.Comments(p.Report.FileSet, file) {
			if m.Kube {
				continue
			}
			out := "run with the GOOS, GOARCH or GOFLAGS=-tags=name that it is built with"
			if here {
				out = "move the marked types to a file that is built like the others"
			}
			p.Report.At(m.Pos, "the marker has no effect, because its file is built only if %s; %s",
				condition, out)
		}
	}
}
