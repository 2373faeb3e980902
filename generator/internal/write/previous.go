// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates"
	"sigs.k8s.io/controller-tools/pkg/loader"
)

// place is where the file of a package goes, or would.
type place struct {
	pkg  *loader.Package
	dest target.Destination
	file *plan.File // nil if none is, for what is wrong
}

// destinations lists where files go. If something is wrong already, they are also those
// of the packages that have markers and, for what is wrong, no file.
func destinations(p *load.Program, configs map[*loader.Package]target.Options, files []*plan.File) []place {
	var out []place
	planned := map[*loader.Package]bool{}
	for _, f := range files {
		planned[f.Pkg] = true
		out = append(out, place{f.Pkg, f.Dest, f})
	}
	if len(p.Report.List) == 0 {
		return out
	}
	for _, pkg := range p.Asked {
		if planned[pkg] || !slices.ContainsFunc(p.Files(pkg), func(file *ast.File) bool { return asksForCode(p, file) }) {
			continue
		}
		if dest, err := target.DestinationOf(configs[pkg], pkg); err == nil {
			out = append(out, place{pkg, dest, nil})
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

// Previous returns the directories that files go to. It reports what stands where files would go and may not be replaced: what somebody
// wrote, and what was emitted for another package, or for another build and would lose
// types. It reads what is there before anything is rendered, so that this is reported with
// whatever else is wrong. What cannot be read, comparing reports.
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
		if at.file != nil && emittedFor(at.pkg, at.dest, old) {
			otherBuild(p, at.file, name, old)
		}
	}
	return dirs
}

// otherBuild reports the types that a file would lose which is not built in the environment
// of this run: it was emitted in another, where the package may still have them.
func otherBuild(p *load.Program, o *plan.File, name string, old []byte) {
	if builds(p, o.Dest.File()) || slices.Contains(load.TagsIn(p.GoFlags), load.IgnoreTag) {
		return
	}
	if lost := slices.Sorted(maps.Keys(without(o, name, old))); len(lost) > 0 {
		p.Report.Add(token.Position{}, name+" was emitted with other build tags or for another platform, and would lose "+strings.Join(lost, ", ")+
			"; give all types of the package the same //go:build line, keep them in packages of their own, or delete the file to have it without them")
	}
}

// without returns the kinds that an emitted file has and this run would not write into it.
func without(o *plan.File, name string, old []byte) map[string]bool {
	had := map[string]bool{}
	file, err := parser.ParseFile(token.NewFileSet(), name, old, parser.SkipObjectResolution)
	if err != nil {
		return had
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if kind, ok := strings.CutSuffix(spec.Name.Name, "Lister"); ok {
				had[kind] = true
			}
		}
		return true
	})
	for _, t := range o.Model.Types {
		delete(had, t.Kind)
	}
	return had
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
