// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"slices"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// A package is put aside if it does not parse, if its metav1 cannot be loaded, or if there
// is no end of its types; and so are those that import it. Nobody can say what their types
// are, and errors that follow from that would mislead. Their markers are still read, as
// text, and other packages are processed as usual, so that one run tells everything that
// is certainly wrong.

// putAside takes a package from the targets.
func (p *Program) putAside(pkg *loader.Package) {
	p.Targets = slices.DeleteFunc(p.Targets, func(t *loader.Package) bool { return t == pkg })
	p.Partial = true
}

// PutAsideUsers puts aside the packages that import one which has been, at any depth.
func (p *Program) PutAsideUsers() {
	uses := map[*loader.Package]bool{}
	for _, pkg := range p.Asked {
		if !slices.Contains(p.Targets, pkg) {
			uses[pkg] = true
		}
	}
	for _, pkg := range p.endless {
		uses[pkg] = true
	}
	if len(uses) == 0 {
		return
	}
	var visit func(pkg *loader.Package) bool
	visit = func(pkg *loader.Package) bool {
		known, visited := uses[pkg]
		if visited {
			return known
		}
		uses[pkg] = false
		for _, imported := range pkg.Imports() {
			if Own(imported) && visit(imported) {
				uses[pkg] = true
			}
		}
		return uses[pkg]
	}
	for _, pkg := range slices.Clone(p.Targets) {
		if visit(pkg) {
			p.putAside(pkg)
		}
	}
}

// unparsed reports what keeps a package from being parsed, and whether anything
// does. Other errors are met, or not, when a path leads through them.
//
// The loader has no file of a package of which one does not parse, and may lose some
// of the errors, for it notes those of several files at once: so they are parsed again.
func (p *Program) unparsed(pkg *loader.Package) bool {
	broken := func(e packages.Error) bool {
		return e.Kind == packages.ParseError && !IsEmitted(diag.Position(e.Pos).Filename)
	}
	if pkg.Syntax != nil && !slices.ContainsFunc(pkg.Errors, broken) {
		return false
	}
	before := len(p.Report.List)
	for _, name := range pkg.CompiledGoFiles {
		file, err := parser.ParseFile(p.Report.FileSet, name, nil, parser.AllErrors|parser.ParseComments)
		var list scanner.ErrorList
		switch {
		case err == nil:
			p.parsed[pkg] = append(p.parsed[pkg], file)
		case errors.As(err, &list):
			for _, e := range list {
				p.Report.Add(e.Pos, e.Msg)
			}
		}
	}
	if len(p.Report.List) > before {
		return true
	}
	for _, e := range pkg.Errors {
		if broken(e) || pkg.Syntax == nil {
			p.Report.Add(diag.Position(e.Pos), e.Msg)
		}
	}
	return len(p.Report.List) > before
}

// concerns reports whether a package has markers or, it seems, root types. What is wrong
// with others may not keep them from being passed over.
func (p *Program) concerns(pkg *loader.Package) bool {
	return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool {
		found := p.marked(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && len(field.Names) == 0 {
				sel, ok := field.Type.(*ast.SelectorExpr)
				found = found || ok && homeOf(sel) != ""
			}
			return !found
		})
		return found
	})
}

// Files lists the files of a package that can be parsed.
func (p *Program) Files(pkg *loader.Package) []*ast.File {
	if pkg.Syntax == nil {
		return p.parsed[pkg]
	}
	return pkg.Syntax
}
