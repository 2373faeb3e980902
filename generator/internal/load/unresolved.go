// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// WhyUnknown returns the reason why the type of a field is unknown: a package that could
// not be loaded, or else the type checker's error.
func (p *Program) WhyUnknown(pkg *loader.Package, v *types.Var) string {
	file, field := Declaration(pkg, v)
	if field == nil {
		return fmt.Sprintf("the type of the field %s cannot be resolved", v.Name())
	}
	message := fmt.Sprintf(
		"the type %s of the field %s cannot be resolved", types.ExprString(field.Type), v.Name())
	why := ""
	ast.Inspect(field.Type, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && why == "" {
			if _, imported := ImportOf(pkg, file, sel); imported != nil {
				why = p.loadError(imported)
			}
		}
		return why == ""
	})
	if why != "" {
		return message + ": " + why
	}
	at := p.Report.FileSet.Position(v.Pos())
	for _, e := range pkg.Errors {
		if pos := diag.Position(e.Pos); pos.Filename == at.Filename && pos.Line == at.Line {
			return message + ": " + e.Msg
		}
	}
	return message
}

// loadError returns the reason why a package could not be loaded, or "".
func (p *Program) loadError(pkg *loader.Package) string {
	for _, e := range pkg.Errors {
		if e.Kind == packages.TypeError {
			continue
		}
		where := ""
		if pos := diag.Position(e.Pos); e.Kind == packages.ParseError && pos.Filename != "" {
			pos.Filename = p.Report.Short(pos.Filename)
			where = pos.String() + ": "
		}
		return "package " + pkg.PkgPath + " cannot be loaded: " + where + OneLine(e.Msg)
	}
	return ""
}

// reportImportCycle reports an import cycle through the package, and returns whether there is one.
// The loader resolves no types of such a package.
func (p *Program) reportImportCycle(pkg *loader.Package) bool {
	for _, e := range pkg.Errors {
		_, stack, ok := strings.Cut(e.Msg, "import cycle not allowed: import stack: [")
		if !ok || !p.hasMarkerOrRootType(pkg) {
			continue
		}
		cycle := strings.Fields(strings.TrimSuffix(stack, "]"))
		for _, file := range pkg.Syntax {
			for _, spec := range file.Imports {
				for i := range len(cycle) - 1 {
					if cycle[i] == pkg.PkgPath && spec.Path.Value == `"`+cycle[i+1]+`"` {
						p.Report.At(spec.Pos(), "import cycle not allowed: %s",
							strings.Join(cycle, " imports "))
						return true
					}
				}
			}
		}
	}
	return false
}

// Declaration returns the declaration of a struct field and its file. It returns nil if
// the field is declared in another package.
func Declaration(pkg *loader.Package, v *types.Var) (in *ast.File, field *ast.Field) {
	for _, file := range pkg.Syntax {
		if v.Pos() < file.Pos() || file.End() < v.Pos() {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.Field); ok && f.Pos() <= v.Pos() && v.Pos() < f.End() {
				in, field = file, f
			}
			return n != nil
		})
	}
	return in, field
}
