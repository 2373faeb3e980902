// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package collect

import (
	"go/ast"
	"go/parser"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
)

// excluded reports markers in files of a package that build constraints exclude. A marker
// that is repeated on the same declaration in a built file is not reported.
//
// If all markers of a package are in excluded files, the package belongs to another build.
// A pattern like ./... skips such a package. If a pattern names it, its markers are reported.
func excluded(p *load.Program, cfg target.Options, pkg *loader.Package) {
	built := map[string]bool{}
	here := false
	for _, file := range p.Files(pkg) {
		for _, m := range marker.Comments(p.Report.FileSet, file) {
			here = true
			if m.Node != nil {
				built[declared(m, file)] = true
			}
		}
	}
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
			if m.Kube || m.Node != nil && built[declared(m, file)] {
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

// declared returns a key for a marker and the declaration that it marks.
func declared(m marker.Comment, file *ast.File) string {
	switch n := m.Node.(type) {
	case *ast.TypeSpec:
		return n.Name.Name + " " + m.Text
	case *ast.FuncDecl:
		return n.Name.Name + "() " + m.Text
	case *ast.Field:
		name := types.ExprString(n.Type) // another type needs other code
		if len(n.Names) > 0 {
			name = n.Names[0].Name + " " + name
		}
		ast.Inspect(file, func(outer ast.Node) bool {
			if spec, ok := outer.(*ast.TypeSpec); ok && spec.Pos() < n.Pos() && n.End() <= spec.End() {
				name = spec.Name.Name + "." + name
			}
			return outer != nil
		})
		return name + " " + m.Text
	}
	return ""
}
