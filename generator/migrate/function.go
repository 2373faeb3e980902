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
	"github.com/indexer-gen/indexer-gen/generator/migrate/internal/learn"
)

// A function is an index function that the program adds to a cache.
type function struct {
	*Answer
	in     *source
	fn     ast.Expr   // nil if it was recorded
	object types.Type // of client.Object, or nil if only the function tells

	ID       string
	Text     string            // Go for another file of its package, or ""
	Imports  map[string]string // names by path, the same in all files
	Before   []string          // declarations of what the text uses of the function around it
	Mentions *mentions
	zero     []string // full names of the types of variables that have zero values before the text
	learned  learn.Answer
}

// Rows returns objects with the keys that the function returned.
func (f *function) Rows() []learn.Row { return f.learned.Rows }

// prepare makes the text of the function, and reads what it mentions.
func (f *function) prepare() {
	f.Imports = map[string]string{}
	f.Text = f.text(f.fn, map[types.Object]bool{})
	f.mention(f.in, f.fn)
}

// text returns an expression for another file of its package, and adds what is declared around it.
func (f *function) text(e ast.Expr, seen map[types.Object]bool) string {
	imported := func(pkg *types.Package) string {
		if pkg.Path() == f.in.PkgPath {
			return ""
		}
		f.Imports[pkg.Path()] = f.in.prog.name(pkg.Path())
		return f.Imports[pkg.Path()]
	}
	for n := range ast.Preorder(e) {
		id, _ := n.(*ast.Ident)
		obj := f.in.TypesInfo.Uses[id]
		if pkg, ok := obj.(*types.PkgName); ok {
			id.Name = imported(pkg.Imported())
			continue
		} else if obj == nil || seen[obj] || obj.Pkg() == nil || obj.Parent() == nil || obj.Parent() == obj.Pkg().Scope() ||
			e.Pos() <= obj.Pos() && obj.Pos() <= e.End() {
			continue
		}
		seen[obj] = true
		of := strings.TrimPrefix(types.TypeString(gotypes.Deref(obj.Type()), imported), "untyped ")
		constant, isConst := obj.(*types.Const)
		literal, isFunc := f.in.value(obj).(*ast.FuncLit)
		switch {
		case isConst:
			f.Before = append(f.Before, fmt.Sprintf("const %s %s = %s", obj.Name(), of, constant.Val().ExactString()))
		case isFunc:
			f.Before = append(f.Before, obj.Name()+" := "+f.text(literal, seen))
		case named(obj.Type()) != nil && is[*types.Struct](obj.Type()): // mentions of its fields are refused
			star := map[bool]string{true: "*"}[gotypes.Deref(obj.Type()) == obj.Type()]
			f.Before = append(f.Before, fmt.Sprintf("%s := %snew(%s)", obj.Name(), star, of))
			f.zero = append(f.zero, fullName(named(obj.Type())))
		default:
			f.learned.Reason = fmt.Sprintf("not run: the function uses %s, which is declared around it", obj.Name())
		}
	}
	var out strings.Builder
	if err := format.Node(&out, f.in.prog.fset, e); err != nil {
		f.learned.Reason = "not run: " + err.Error()
	}
	return out.String()
}
