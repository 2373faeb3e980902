// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates"
)

// place is where the file of a package goes, or would.
type place struct {
	pkg  *loader.Package
	dest target.Destination
}

// destinations lists where files go. If something is wrong already, they are also those
// of the packages that have markers and, for what is wrong, no file.
func destinations(p *load.Program, configs map[*loader.Package]target.Options, files []*plan.File) []place {
	var out []place
	planned := map[*loader.Package]bool{}
	for _, f := range files {
		planned[f.Pkg] = true
		out = append(out, place{f.Pkg, f.Dest})
	}
	if len(p.Report.List) == 0 {
		return out
	}
	for _, pkg := range p.Asked {
		if planned[pkg] || !slices.ContainsFunc(p.Files(pkg), func(file *ast.File) bool { return asksForCode(p, file) }) {
			continue
		}
		if dest, err := target.DestinationOf(configs[pkg], pkg); err == nil {
			out = append(out, place{pkg, dest})
		}
	}
	return out
}

// asksForCode reports whether a file has a marker for which, were it right, code would
// go to its package. Markers on fields may count for types of another.
func asksForCode(p *load.Program, file *ast.File) bool {
	return slices.ContainsFunc(marker.Comments(p.Report.FileSet, file), func(m marker.Comment) bool {
		_, onField := m.Node.(*ast.Field)
		return !onField
	})
}

// Previous returns the directories that files go to. It reports files there that may not
// be replaced: those that somebody wrote, and those emitted for another package. It reads
// them before anything is rendered, so that they are reported with all other mistakes. A
// file that cannot be read is reported when it is compared.
func Previous(p *load.Program, configs map[*loader.Package]target.Options, files []*plan.File) (dirs []string) {
	for _, at := range destinations(p, configs, files) {
		dirs = append(dirs, at.dest.Dir)
		path := at.dest.File()
		old, err := target.ReadEmitted(path)
		if err != nil {
			continue
		}
		name := p.Report.Short(path)
		if byHand(path, old) {
			p.Report.Add(token.Position{}, name+" was not written by indexer-gen; rename it, or emit elsewhere with -o")
		}
		if emittedForAnother(at.pkg, at.dest, old) {
			p.Report.Add(token.Position{}, name+" has what was emitted for another package than "+at.pkg.PkgPath+"; emit elsewhere with -o, or remove it if that package is gone")
		}
	}
	return dirs
}

// byHand reports whether somebody wrote the file: there is something in it, more than a
// package clause, and it does not have the line that ours begin with. What is left of a broken
// one of ours has that line, after a merge conflict too, and may be replaced.
func byHand(name string, text []byte) bool {
	for line := range bytes.Lines(text) {
		if string(bytes.TrimSpace(line)) == templates.Generated {
			return false
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution|parser.ParseComments)
	return err != nil || len(file.Decls)+len(file.Comments) > 0
}
