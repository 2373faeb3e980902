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
	Before  []string          // declarations of functions and constants of that
	err     string            // why there is no copy
	syntax  ast.Node
}

// copied returns the function for a file in the same package.
func (r *registration) copied() *copied {
	e := r.function()
	c := &copied{Imports: map[string]string{}, Outside: map[string]string{}, syntax: e}
	c.Text = c.text(r.in, e, map[types.Object]bool{})
	return c
}

// text returns an expression for the copy, and adds what is declared around it.
func (c *copied) text(in *source, e ast.Expr, seen map[types.Object]bool) string {
	imported := func(pkg *types.Package) string {
		if pkg.Path() == in.PkgPath {
			return ""
		}
		c.Imports[pkg.Path()] = in.prog.name(pkg.Path())
		return c.Imports[pkg.Path()]
	}
	names := map[*ast.Ident]string{}
	var around []types.Object
	ast.Inspect(e, func(n ast.Node) bool {
		id, isIdent := n.(*ast.Ident)
		if !isIdent {
			return true
		}
		obj := in.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			names[id] = id.Name
			id.Name = imported(pkg.Imported())
		} else if obj != nil && !seen[obj] && obj.Pkg() != nil && obj.Parent() != nil && obj.Parent() != obj.Pkg().Scope() &&
			(obj.Pos() < e.Pos() || e.End() < obj.Pos()) {
			seen[obj] = true
			around = append(around, obj)
		}
		return true
	})
	var out strings.Builder
	if err := format.Node(&out, in.prog.fset, e); err != nil {
		c.err = err.Error()
	}
	for id, name := range names {
		id.Name = name
	}
	for _, obj := range around {
		switch obj := obj.(type) {
		case *types.Var:
			if values := in.values[obj]; len(values) == 1 && values[0] != nil {
				if _, isFunc := ast.Unparen(values[0]).(*ast.FuncLit); isFunc {
					c.Before = append(c.Before, obj.Name()+" := "+c.text(in, values[0], seen))
					continue
				}
			}
			c.Outside[obj.Name()] = types.TypeString(obj.Type(), imported)
		case *types.Const:
			of := strings.TrimPrefix(types.TypeString(obj.Type(), imported), "untyped ")
			c.Before = append(c.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, obj.Val().ExactString()))
		default:
			c.err = fmt.Sprintf("the function uses %s, which is declared around it", obj.Name())
		}
	}
	return out.String()
}
