// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/format"
	"go/types"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// A copy is the Go text of a function for another file of its package.
type copied struct {
	Text    string
	Imports map[string]string // names by path, the same in all files
	Before  []string          // declarations of what it uses of the function around it
	err     string            // why there is no copy
	zero    []string          // full names of the types of variables that have zero values in it
	syntax  ast.Node
}

// copied returns the function for a file in the same package.
func (r *registration) copied() *copied {
	e := r.function()
	c := &copied{Imports: map[string]string{}, syntax: e}
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
		of := strings.TrimPrefix(types.TypeString(gotypes.Deref(obj.Type()), imported), "untyped ")
		literal, isFunc := in.value(obj).(*ast.FuncLit)
		constant, isConst := obj.(*types.Const)
		switch {
		case isConst:
			c.Before = append(c.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, constant.Val().ExactString()))
		case isFunc:
			c.Before = append(c.Before, obj.Name()+" := "+c.text(in, literal, seen))
		case named(obj.Type()) != nil && is[*types.Struct](obj.Type()): // mentions of its fields are refused
			star := map[bool]string{true: "*"}[gotypes.Deref(obj.Type()) == obj.Type()]
			c.Before, c.zero = append(c.Before, fmt.Sprintf("%s := %snew(%s)", obj.Name(), star, of)), append(c.zero, fullName(named(obj.Type())))
		default:
			c.err = fmt.Sprintf("the function uses %s, which is declared around it", obj.Name())
		}
	}
	return out.String()
}
