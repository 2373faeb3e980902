// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// diagnostic tells the way of an object from a cache to a write, and the mend.
func (a *analysis) diagnostic(pos token.Pos, way []step) goanalysis.Diagnostic {
	var steps []string
	for _, s := range way {
		steps = append(steps, s.Text+" ("+s.Place+")")
	}
	text := "write to an object that is shared with a cache: " + strings.Join(steps, ", ") + "; copy it first"
	d := goanalysis.Diagnostic{Pos: pos, Message: text}
	if vars := a.variables(pos); len(vars) == 1 {
		v := vars[0]
		mend := v.Name() + " = " + v.Name() + ".DeepCopy()"
		d.Message += ": " + mend
		if at := a.sole(v, pos); at.IsValid() {
			edit := goanalysis.TextEdit{Pos: at, End: at, NewText: []byte(mend + "\n")}
			d.SuggestedFixes = []goanalysis.SuggestedFix{{Message: "Copy " + v.Name(), TextEdits: []goanalysis.TextEdit{edit}}}
		}
	}
	return d
}

// enclosing yields the parts of the syntax that contain a position, from the innermost; none if it is not known.
func (a *analysis) enclosing(pos token.Pos, types ...ast.Node) iter.Seq[inspector.Cursor] {
	if c, ok := a.syntax.Root().FindByPos(pos, pos); ok {
		return c.Enclosing(types...)
	}
	return func(func(inspector.Cursor) bool) {}
}

// written returns what is written at a position: an expression, or a call that has it as an argument.
func (a *analysis) written(pos token.Pos) ast.Expr {
	for c := range a.enclosing(pos, (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.CallExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			i := slices.IndexFunc(n.Lhs, func(target ast.Expr) bool { return pos <= target.End() })
			return n.Lhs[max(i, 0)]
		case *ast.IncDecStmt:
			return n.X
		case *ast.CallExpr:
			if tv := a.pass.TypesInfo.Types[n.Fun]; tv.IsBuiltin() {
				return n.Args[0]
			}
			if pos < n.End() {
				return n
			}
		}
	}
	return ast.NewIdent("it")
}

// variables returns the local variables in what is written that are objects.
func (a *analysis) variables(pos token.Pos) (found []*types.Var) {
	ast.Inspect(a.written(pos), func(n ast.Node) bool {
		name, _ := n.(*ast.Ident)
		v, ok := a.pass.TypesInfo.Uses[name].(*types.Var)
		if ok && v.Kind() >= types.LocalVar && v.Kind() != types.FieldVar && !slices.Contains(found, v) {
			method, _, _ := types.LookupFieldOrMethod(v.Type(), false, nil, "DeepCopy")
			same := types.NewTuple(types.NewVar(token.NoPos, nil, "", v.Type()))
			if fn, ok := method.(*types.Func); ok && types.Identical(fn.Signature().Results(), same) {
				found = append(found, v)
			}
		}
		return true
	})
	return found
}

// sole returns the beginning of the statement at a position if a variable has an object there that has no other name.
// The object comes from a call that gets no memory, and one function uses it, by this name.
func (a *analysis) sole(v *types.Var, pos token.Pos) (begin token.Pos) {
	for c := range a.syntax.Root().Preorder((*ast.Ident)(nil)) {
		name := c.Node().(*ast.Ident)
		if a.pass.TypesInfo.ObjectOf(name) != v {
			continue
		}
		for literal := range c.Enclosing((*ast.FuncLit)(nil)) {
			if v.Pos() < literal.Node().Pos() {
				return token.NoPos
			}
		}
		if a.shares(c, name.Pos() == v.Pos()) {
			return token.NoPos
		}
	}
	for c := range a.enclosing(pos) {
		switch kind, _ := c.ParentEdge(); kind {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			return c.Node().Pos()
		}
	}
	return token.NoPos
}

// shares reports whether memory of a variable gets another name where the variable is used or defined.
func (a *analysis) shares(c inspector.Cursor, defined bool) bool {
	refers := func(e ast.Expr) bool { return a.refers(a.pass.TypesInfo.TypeOf(e)) }
	for ; ; c = c.Parent() {
		switch kind, _ := c.ParentEdge(); kind {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.StarExpr_X, edge.ParenExpr_X, edge.CallExpr_Fun:
			continue
		case edge.AssignStmt_Lhs:
			call, ok := c.Parent().Node().(*ast.AssignStmt).Rhs[0].(*ast.CallExpr)
			return defined && (!ok || slices.ContainsFunc(call.Args, refers))
		case edge.CallExpr_Args:
			return refers(c.Parent().Node().(ast.Expr))
		case edge.BinaryExpr_X, edge.IncDecStmt_X, edge.ExprStmt_X:
			return false
		}
		e, ok := c.Node().(ast.Expr)
		return defined || !ok || refers(e)
	}
}

// nameOf returns the name of a function for messages, with its package and receiver.
func nameOf(fn *types.Func) string {
	name := nameInTable(fn)
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(name[strings.LastIndexByte(name, '/')+1:])
}
