// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/format"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ssa"
)

// written returns the first expression of the registration that is accepted, or nil.
func (r *registration) written(is func(types.TypeAndValue) bool) (out ast.Expr) {
	for _, file := range r.in.Syntax {
		if file.FileStart > r.at || r.at >= file.FileEnd {
			continue
		}
		around, _ := astutil.PathEnclosingInterval(file, r.at, r.at+1)
		for _, n := range around[:2] {
			ast.Inspect(n, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok && out == nil && e.Pos() >= r.at && is(r.in.TypesInfo.Types[e]) {
					out = e
				}
				return out == nil
			})
		}
	}
	return out
}

// function returns the function as it is written, or nil.
func (r *registration) function() ast.Expr {
	return r.written(func(tv types.TypeAndValue) bool { return isIndexFunction(tv.Type) && !tv.IsType() })
}

// copied returns the function for a test in the same package, and the imports that it needs. It returns false if it
// needs variables of the function that it stands in.
func (r *registration) copied() (expr string, imports map[string]string, ok bool) {
	e := r.function()
	if fn, ok := r.fn.(*ssa.Function); ok && fn.Parent() != nil {
		e = fn.Syntax().(ast.Expr)
	}
	if e == nil {
		return "", nil, false
	}
	imports, ok = map[string]string{}, true
	ast.Inspect(e, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return true
		}
		switch obj := r.in.TypesInfo.Uses[id].(type) {
		case *types.PkgName:
			imports[obj.Imported().Path()] = obj.Name()
		case *types.Var, *types.Const, *types.TypeName:
			local := obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope()
			ok = ok && (!local || e.Pos() <= obj.Pos() && obj.Pos() <= e.End())
		}
		return true
	})
	var out strings.Builder
	err := format.Node(&out, r.in.prog.fset, e)
	return out.String(), imports, ok && err == nil
}
