// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package write

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/plan"
	"github.com/indexer-gen/indexer-gen/generator/internal/target"
	"github.com/indexer-gen/indexer-gen/templates"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// packageDestination is the destination of a package's file.
type packageDestination struct {
	pkg  *loader.Package
	dest target.Destination
}

// plannedAndFailedDestinations returns where files go. If there are errors, it includes packages that have
// markers but no file because of the errors.
func plannedAndFailedDestinations(p *load.Program, cfg target.Options, files []*plan.File) []packageDestination {
	var out []packageDestination
	planned := map[*loader.Package]bool{}
	for _, f := range files {
		planned[f.Pkg] = true
		out = append(out, packageDestination{f.Pkg, f.Dest})
	}
	if len(p.Report.List) == 0 {
		return out
	}
	for _, pkg := range p.Requested {
		if planned[pkg] ||
			!slices.ContainsFunc(p.Files(pkg), func(file *ast.File) bool { return hasNonFieldMarker(p, file) }) {
			continue
		}
		for _, dest := range destinationsOf(pkg, cfg) {
			out = append(out, packageDestination{pkg, dest})
		}
	}
	return out
}

// destinationsOf returns where the files of a package go, if they can go there.
func destinationsOf(pkg *loader.Package, cfg target.Options) (out []target.Destination) {
	if dest, err := target.DestinationOf(cfg, pkg); err == nil {
		for _, dest.Target = range cfg.Targets {
			out = append(out, dest)
		}
	}
	return out
}

// hasNonFieldMarker reports whether a file has a marker that, if valid, requests code for its own
// package. Markers on fields may serve types of other packages.
func hasNonFieldMarker(p *load.Program, file *ast.File) bool {
	return slices.ContainsFunc(marker.Comments(p.Report.FileSet, file), func(m marker.Comment) bool {
		_, onField := m.Node.(*ast.Field)
		return !onField
	})
}

// Previous returns the directories that files of our runtime go to. It reports existing files that may not
// be replaced: hand-written ones, and those emitted for another package. It runs before
// rendering, so that these errors are reported with all others. Unreadable files are
// reported by File.Compare. With check, it reports packages that have files of other targets than those of this run.
func Previous(
	p *load.Program, cfg target.Options, files []*plan.File, check bool,
) (dirs []string) {
	for _, at := range plannedAndFailedDestinations(p, cfg, files) {
		if check {
			if others := onlyOtherTargetsText(at, cfg); others != "" {
				p.Report.Add(token.Position{}, p.Report.Short(at.dest.Dir)+" has no "+at.dest.Target.FileName()+
					"; it has files of "+others+"; run with -target="+others)
				continue
			}
		}
		if !at.dest.Target.Foreign() {
			dirs = append(dirs, at.dest.Dir)
		}
		path := at.dest.File()
		old, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		name := p.Report.Short(path)
		if isHandWritten(path, old) {
			p.Report.Add(token.Position{},
				name+" was not written by indexer-gen; rename it, or emit elsewhere with -o")
		}
		if at.dest.Path != at.pkg.PkgPath && isEmitted(old) && !isEmittedFor(at.pkg, at.dest, old) {
			p.Report.Add(token.Position{},
				name+" was emitted for another package than "+at.pkg.PkgPath+"; emit elsewhere with -o, "+
					"or remove it if that package is gone")
		}
	}
	return dirs
}

// onlyOtherTargetsText lists the targets, separated by commas, that a package has files of, if it has none of those of this
// run.
func onlyOtherTargetsText(at packageDestination, cfg target.Options) string {
	var others []string
	dest := at.dest
	for _, t := range model.Targets {
		dest.Target = t
		text, err := os.ReadFile(dest.File())
		switch {
		case err != nil || !isEmittedFor(at.pkg, dest, text):
		case slices.Contains(cfg.Targets, t):
			return ""
		default:
			others = append(others, string(t))
		}
	}
	return strings.Join(others, ",")
}

// isEmittedFor reports whether text is an emitted file for the types of pkg. A file for another
// package may be kept current by another run.
func isEmittedFor(pkg *loader.Package, dest target.Destination, text []byte) bool {
	types := ""
	if _, after, found := bytes.Cut(text, []byte("\n"+templates.Types)); found {
		line, _, _ := bytes.Cut(after, []byte("\n"))
		types = string(line)
	}
	if dest.Path == pkg.PkgPath {
		return isEmitted(text) && types == ""
	}
	return types == pkg.PkgPath
}

// isEmitted reports whether a file has the line that marks emitted files.
func isEmitted(text []byte) bool {
	for line := range bytes.Lines(text) {
		if string(bytes.TrimSpace(line)) == templates.Generated {
			return true
		}
	}
	return false
}

// isHandWritten reports whether a file is hand-written: it has more than a package clause, and lacks
// the line that marks emitted files. A damaged emitted file keeps that line and may be
// replaced.
func isHandWritten(name string, text []byte) bool {
	if isEmitted(text) || len(bytes.TrimSpace(text)) == 0 {
		return false
	}
	file, err := parser.ParseFile(token.NewFileSet(), name, text,
		parser.SkipObjectResolution|parser.ParseComments)
	return err != nil || len(file.Decls)+len(file.Comments) > 0
}
