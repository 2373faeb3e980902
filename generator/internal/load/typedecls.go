// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"go/ast"
	"go/token"
	"iter"

	"sigs.k8s.io/controller-tools/pkg/loader"
)

// DeclaredTypes yields the type declarations of a package.
func DeclaredTypes(pkg *loader.Package) iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				d, ok := decl.(*ast.GenDecl)
				if !ok || d.Tok != token.TYPE {
					continue
				}
				for _, s := range d.Specs {
					if !yield(s.(*ast.TypeSpec)) {
						return
					}
				}
			}
		}
	}
}

// Specs returns the type declarations of a package by name.
func Specs(pkg *loader.Package) map[string]*ast.TypeSpec {
	out := map[string]*ast.TypeSpec{}
	for spec := range DeclaredTypes(pkg) {
		out[spec.Name.Name] = spec
	}
	return out
}

// ReportDuplicates reports types that a package declares twice.
func ReportDuplicates(p *Program, pkg *loader.Package) {
	first := map[string]token.Pos{}
	for spec := range DeclaredTypes(pkg) {
		at, name := spec.Name.Pos(), spec.Name.Name
		other, twice := first[name]
		switch {
		case name == "_":
		case !twice:
			first[name] = at
		default:
			// Files are parsed concurrently. Report the later file by name, in every run.
			a, b := p.Report.FileSet.Position(at), p.Report.FileSet.Position(other)
			if a.Filename < b.Filename {
				at, other = other, at
			}
			p.Report.At(at,
				"the type %s is declared twice, the other at %s; remove or rename one of them",
				name, p.Report.Where(other))
		}
	}
}
