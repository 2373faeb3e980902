// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/load"
)

// compositeLiteral returns the composite literal that initializes a package-level variable. It
// follows other variables of the package and of imported packages.
func compositeLiteral(pkg *loader.Package, name string, followed int) (*loader.Package, *ast.File, *ast.CompositeLit) {
	file, value := initialValue(pkg, name)
	if followed > 5 {
		return nil, nil, nil // initialized by itself
	}
	if address, ok := value.(*ast.UnaryExpr); ok && address.Op == token.AND {
		value = address.X
	}
	switch e := ast.Unparen(value).(type) {
	case *ast.CompositeLit:
		return pkg, file, e
	case *ast.Ident:
		return compositeLiteral(pkg, e.Name, followed+1)
	case *ast.SelectorExpr:
		if imported := importedPackage(pkg, file, e); imported != nil {
			return compositeLiteral(imported, e.Sel.Name, followed+1)
		}
	}
	return nil, nil, nil
}

// initialValue returns the expression that initializes a package-level variable, or nil.
func initialValue(pkg *loader.Package, name string) (*ast.File, ast.Expr) {
	for _, file := range pkg.Syntax {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range d.Specs {
				spec, ok := s.(*ast.ValueSpec)
				if !ok {
					continue
				}
				for i, n := range spec.Names {
					if n.Name == name && i < len(spec.Values) {
						return file, spec.Values[i]
					}
				}
			}
		}
	}
	return nil, nil
}

// importedPackage returns the type-checked package that the qualifier of sel refers to, or nil.
func importedPackage(pkg *loader.Package, file *ast.File, sel *ast.SelectorExpr) *loader.Package {
	_, imported := load.ImportOf(pkg, file, sel)
	if imported == nil {
		return nil
	}
	imported.NeedTypesInfo()
	if imported.Types == nil {
		return nil
	}
	return imported
}

// constantString evaluates a constant string expression. It type-checks the package of a
// qualified constant, which the loader skips if no type refers to it.
func constantString(pkg *loader.Package, file *ast.File, expr ast.Expr) (string, bool) {
	if tv := pkg.TypesInfo.Types[expr]; tv.Value != nil && tv.Value.Kind() == constant.String {
		return constant.StringVal(tv.Value), true
	}
	sel, ok := expr.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	imported := importedPackage(pkg, file, sel)
	if imported == nil {
		return "", false
	}
	c, ok := imported.Types.Scope().Lookup(sel.Sel.Name).(*types.Const)
	if ok && c.Val().Kind() == constant.String {
		return constant.StringVal(c.Val()), true
	}
	return "", false
}
