// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// A package is excluded if it does not parse, if its metav1 cannot be loaded, or if one of its
// types contains itself by value. So are the packages that import it. Their types are
// unknown, and follow-up errors would mislead. Their markers are still read as text, and
// other packages are processed as usual, so that one run reports all certain errors.

// removeFromTargets removes a package from the targets.
func (p *Program) removeFromTargets(pkg *loader.Package) {
	p.Targets = slices.DeleteFunc(p.Targets, func(t *loader.Package) bool { return t == pkg })
	p.Partial = true
}

// ExcludeImporters excludes the packages that import an excluded one, at any depth.
func (p *Program) ExcludeImporters() {
	uses := map[*loader.Package]bool{}
	for _, pkg := range p.Requested {
		if !slices.Contains(p.Targets, pkg) {
			uses[pkg] = true
		}
	}
	for _, pkg := range p.recursiveTypePackages {
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
			p.removeFromTargets(pkg)
		}
	}
}

// reportSyntaxErrors reports the syntax errors of a package and returns whether there are any.
// Other errors are reported only if a path leads through them.
//
// If one file has a syntax error, the loader returns no file of the package and may lose
// errors. So unparsed parses the files again.
func (p *Program) reportSyntaxErrors(pkg *loader.Package) bool {
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
			p.validFilesOfBroken[pkg] = append(p.validFilesOfBroken[pkg], file)
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

// hasMarkerOrRootType reports whether a package has markers or apparent root types. Errors in other
// packages are not reported.
func (p *Program) hasMarkerOrRootType(pkg *loader.Package) bool {
	return slices.ContainsFunc(pkg.Syntax, func(file *ast.File) bool {
		found := p.hasMarkerLikeComment(file)
		ast.Inspect(file, func(n ast.Node) bool {
			if field, ok := n.(*ast.Field); ok && len(field.Names) == 0 {
				sel, ok := field.Type.(*ast.SelectorExpr)
				found = found || ok && baseTypeImportPath(sel) != ""
			}
			return !found
		})
		return found
	})
}

// Files returns the files of a package that could be parsed.
func (p *Program) Files(pkg *loader.Package) []*ast.File {
	if pkg.Syntax == nil {
		return p.validFilesOfBroken[pkg]
	}
	return pkg.Syntax
}

// rejectRecursiveTypes reports the types of the module that contain themselves by value, and excludes their
// packages. The type checker leaves the types of such fields unknown.
func (p *Program) rejectRecursiveTypes() {
	for _, path := range slices.Sorted(maps.Keys(p.Checked)) {
		pkg := p.Checked[path]
		if !p.SameModule(pkg) || pkg.Types == nil {
			continue
		}
		found := map[string]string{} // messages, by position
		for i, e := range pkg.Errors {
			if e.Kind != packages.TypeError || !strings.HasPrefix(e.Msg, "invalid recursive type") {
				continue
			}
			message, sep := e.Msg, ": "
			for _, next := range pkg.Errors[i+1:] { // one step of the cycle each
				step, ok := strings.CutPrefix(next.Msg, "\t")
				if !ok {
					break
				}
				message, sep = message+sep+step, ", "
			}
			found[e.Pos] = message
		}
		for pos, message := range found {
			p.Report.Add(diag.Position(pos),
				message+"; it would contain itself, and Go does not compile it: use a pointer, a list or a map")
		}
		if len(found) > 0 {
			p.recursiveTypePackages = append(p.recursiveTypePackages, pkg)
			p.removeFromTargets(pkg)
		}
	}
}
