// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// written returns the name and the function as they are written, or nil where the place does not tell.
func (r *registration) written() (name, fn ast.Expr) {
	for _, file := range r.in.Syntax {
		ast.Inspect(file, func(n ast.Node) bool {
			at, exprs := token.NoPos, []ast.Expr(nil)
			switch n := n.(type) {
			case *ast.CallExpr:
				at, exprs = n.Lparen, n.Args
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					pos := e.Pos()
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						pos, e = pair.Colon, pair.Value
					}
					if exprs = append(exprs, e); pos == r.at {
						at = pos
					}
				}
				if _, isStruct := gotypes.StructOf(r.in.TypesInfo.TypeOf(n)); !isStruct {
					exprs = nil
				}
			case *ast.KeyValueExpr:
				at, exprs = n.Colon, []ast.Expr{n.Key, n.Value}
			case *ast.AssignStmt:
				if index, ok := n.Lhs[0].(*ast.IndexExpr); ok {
					at, exprs = index.Lbrack, []ast.Expr{index.Index, n.Rhs[0]}
				}
			}
			for _, e := range exprs {
				t := r.in.TypesInfo.TypeOf(e)
				if target, _ := indexFunction(t); target != "" && at == r.at {
					fn = e
				} else if at == r.at && fn == nil && gotypes.IsText(t) {
					name = e
				}
			}
			return true
		})
	}
	return name, fn
}

// copied returns the function for a test in the same package, and the imports that it needs. It returns false if it
// needs variables of the function that it stands in.
func (r *registration) copied() (expr string, imports map[string]string, ok bool) {
	_, e := r.written()
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
