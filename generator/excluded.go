// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// excluded reports the markers in files of a package that the build leaves out: in those
// for another platform or with other build tags. What is marked in the same words in a
// file that is built, as one type that each platform declares anew, counts there.
//
// A package all of whose markers are in such files is one for another build, and a
// pattern like ./... passes over it, as the go command does. If it is named, nothing
// would be written for it without a word.
func excluded(p *program, cfg options, pkg *loader.Package) {
	built := map[string]bool{}
	here := false
	for _, file := range p.files(pkg) {
		for _, m := range markerComments(p.report.fset, file) {
			here = true
			if m.node != nil {
				built[declared(m, file)] = true
			}
		}
	}
	if !here && !cfg.names(pkg) {
		return
	}
	for _, name := range pkg.IgnoredFiles {
		if !handWritten(name) {
			continue
		}
		file, err := parser.ParseFile(p.report.fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			file = scanned(p.report.fset, name)
		}
		if file.Name.Name != pkg.Name && file.Name.Name != "" {
			continue
		}
		asked := slices.DeleteFunc(conditions(filepath.Base(name), file, importsC(file)), func(condition string) bool { return met(p, condition) })
		if len(asked) == 0 || slices.Contains(asked, "ignore") { // nobody builds that
			continue
		}
		found, only := markerComments(p.report.fset, file), "built only if "+strings.Join(asked, " && ")
		if err != nil {
			found, only = textMarkers(file), only+", and does not parse"
		}
		for _, m := range found {
			if m.kube || m.node != nil && built[declared(m, file)] {
				continue
			}
			out := "run with " + settings(asked)
			if here {
				out = "move what is marked to a file that is built as the others are, or to a package of its own and " + out + " for that"
			}
			p.report.at(m.pos, "the marker does not count, for its file is %s; %s", only, out)
		}
	}
}

// declared names what a marker is on, together with the marker.
func declared(m markerComment, file *ast.File) string {
	switch n := m.node.(type) {
	case *ast.TypeSpec:
		return n.Name.Name + " " + m.text
	case *ast.FuncDecl:
		return n.Name.Name + "() " + m.text
	case *ast.Field:
		name := types.ExprString(n.Type) // of another type it would take other code
		if len(n.Names) > 0 {
			name = n.Names[0].Name + " " + name
		}
		ast.Inspect(file, func(outer ast.Node) bool {
			if spec, ok := outer.(*ast.TypeSpec); ok && spec.Pos() < n.Pos() && n.End() <= spec.End() {
				name = spec.Name.Name + "." + name
			}
			return outer != nil
		})
		return name + " " + m.text
	}
	return ""
}

func importsC(file *ast.File) bool {
	return slices.ContainsFunc(file.Imports, func(s *ast.ImportSpec) bool { return s.Path.Value == `"C"` })
}

// met reports whether a condition holds in the environment of this run.
func met(p *program, condition string) bool {
	env := build.Default
	env.BuildTags = tagsIn(p.goflags)
	env.OpenFile = func(string) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("//go:build " + condition + "\n\npackage p\n")), nil
	}
	ok, err := env.MatchFile("", "x.go")
	return ok && err == nil
}

// settings says how to have the go command build what asks for these conditions.
func settings(asked []string) string {
	var out, tags []string
	for _, one := range asked {
		switch kind := builtFor(one); {
		case kind == system:
			out = append(out, "GOOS="+one)
		case kind == architecture:
			out = append(out, "GOARCH="+one)
		case one == "cgo":
			out = append(out, "CGO_ENABLED=1")
		case strings.ContainsAny(one, "!(.") || one == "unix":
			return "the GOOS, GOARCH or GOFLAGS=-tags=name that it is built with"
		default:
			tags = append(tags, one)
		}
	}
	if len(tags) > 0 {
		out = append(out, "GOFLAGS=-tags="+strings.Join(tags, ","))
	}
	return strings.Join(out, " ")
}
