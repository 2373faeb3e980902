// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/format"
	"go/types"
	"strings"
)

// copied returns the expression of an index function for a test in the same package, and the imports that it needs.
// It returns false if the expression needs variables of the function that it stands in.
func (r *registration) copied() (expr string, imports map[string]string, ok bool) {
	e := r.fn
	if id, isIdent := ast.Unparen(e).(*ast.Ident); isIdent {
		obj := r.in.info.ObjectOf(id)
		if obj.Parent() != r.in.types.Scope() && r.in.inits[obj] != nil && !r.in.prog.assigned[variable(obj)] {
			e = r.in.inits[obj]
		}
	}
	imports, ok = map[string]string{}, true
	ast.Inspect(e, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return true
		}
		switch obj := r.in.info.Uses[id].(type) {
		case *types.PkgName:
			imports[obj.Imported().Path()] = obj.Name()
		case *types.Var, *types.Const, *types.TypeName:
			local := obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope()
			if local && (obj.Pos() < e.Pos() || e.End() < obj.Pos()) {
				ok = false
			}
		}
		return true
	})
	var out strings.Builder
	if err := format.Node(&out, r.in.prog.fset, e); err != nil {
		return "", nil, false
	}
	return out.String(), imports, ok
}
