// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"strings"
)

// A copy is the Go text of a function for another file of its package.
type copied struct {
	Text    string
	Imports map[string]string // names by path, the same in all files
	Outside map[string]string // variables of the function around it, with their types
	Consts  []string          // declarations of constants of that
	err     string            // why there is no copy
	syntax  ast.Node
}

// copied returns the function for a file in the same package.
func (r *registration) copied() *copied {
	e := r.function()
	c := &copied{Imports: map[string]string{}, Outside: map[string]string{}, syntax: e}
	imported := func(pkg *types.Package) string {
		if pkg.Path() == r.in.PkgPath {
			return ""
		}
		c.Imports[pkg.Path()] = r.in.prog.name(pkg.Path())
		return c.Imports[pkg.Path()]
	}
	names := map[*ast.Ident]string{}
	seen := map[types.Object]bool{}
	ast.Inspect(e, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return true
		}
		obj := r.in.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			names[id] = id.Name
			id.Name = imported(pkg.Imported())
			return true
		}
		if obj == nil || seen[obj] || obj.Pkg() == nil || obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() || e.Pos() <= obj.Pos() && obj.Pos() <= e.End() {
			return true
		}
		seen[obj] = true
		switch obj := obj.(type) {
		case *types.Var:
			c.Outside[obj.Name()] = types.TypeString(obj.Type(), imported)
		case *types.Const:
			c.Consts = append(c.Consts, fmt.Sprintf("const %s %s = %s", obj.Name(), strings.TrimPrefix(types.TypeString(obj.Type(), imported), "untyped "), obj.Val().ExactString()))
		default:
			c.err = fmt.Sprintf("the function uses %s, which is declared around it", obj.Name())
		}
		return true
	})
	var out strings.Builder
	if err := format.Node(&out, r.in.prog.fset, e); err != nil {
		c.err = err.Error()
	}
	for id, name := range names {
		id.Name = name
	}
	c.Text = out.String()
	return c
}
