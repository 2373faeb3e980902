// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/ast"
	"go/token"
	"go/types"
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
		if s.Place != "" {
			s.Text += " (" + s.Place + ")"
		}
		steps = append(steps, s.Text)
	}
	d := goanalysis.Diagnostic{Pos: pos, Message: "write to an object that is shared with a cache: " + strings.Join(steps, ", ") + "; copy it first"}
	if v := a.variable(pos); v != nil {
		mend := v.Name() + " = " + v.Name() + ".DeepCopy()"
		d.Message += ": " + mend
		if at := a.sole(v, pos); at.IsValid() {
			edits := []goanalysis.TextEdit{{Pos: at, End: at, NewText: []byte(mend + "\n")}}
			d.SuggestedFixes = []goanalysis.SuggestedFix{{Message: "Copy " + v.Name(), TextEdits: edits}}
		}
	}
	return d
}

// at returns the innermost part of the syntax that contains a position.
func (a *analysis) at(pos token.Pos) inspector.Cursor {
	c, _ := a.syntax.Root().FindByPos(pos, pos)
	return c
}

// written returns what is written at a position: an expression, or a call that has it as an argument.
func (a *analysis) written(pos token.Pos) ast.Expr {
	for c := range a.at(pos).Enclosing((*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.CallExpr)(nil)) {
		switch n := c.Node().(type) {
		case *ast.AssignStmt:
			for _, target := range slices.Backward(n.Lhs) {
				if target.Pos() <= pos {
					return target
				}
			}
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

// variable returns the only local variable in what is written that is an object.
func (a *analysis) variable(pos token.Pos) (found *types.Var) {
	several := false
	ast.Inspect(a.written(pos), func(n ast.Node) bool {
		name, _ := n.(*ast.Ident)
		if v, ok := a.pass.TypesInfo.Uses[name].(*types.Var); ok && v.Kind() >= types.LocalVar && v.Kind() != types.FieldVar {
			method, _, _ := types.LookupFieldOrMethod(v.Type(), false, nil, "DeepCopy")
			if fn, ok := method.(*types.Func); ok && types.Identical(fn.Signature().Results(), types.NewTuple(types.NewVar(0, nil, "", v.Type()))) {
				several = several || found != nil && found != v
				found = v
			}
		}
		return true
	})
	if several {
		return nil
	}
	return found
}

// sole returns the beginning of the statement at a position if a variable has an object there that has no other name: it
// comes from a call that is given no memory, and all is done with it in one function and by this name.
func (a *analysis) sole(v *types.Var, pos token.Pos) (begin token.Pos) {
	function := func(c inspector.Cursor) (fn ast.Node) {
		for c := range c.Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
			return c.Node()
		}
		return nil
	}
	for c := range a.syntax.Root().Preorder((*ast.Ident)(nil)) {
		name := c.Node().(*ast.Ident)
		if a.pass.TypesInfo.ObjectOf(name) == v && (function(c) != function(a.at(pos)) || a.shares(c, name.Pos() == v.Pos())) {
			return token.NoPos
		}
	}
	for c := range a.at(pos).Enclosing() {
		if kind, _ := c.ParentEdge(); kind == edge.BlockStmt_List || kind == edge.CaseClause_Body || kind == edge.CommClause_Body {
			return c.Node().Pos()
		}
	}
	return token.NoPos
}

// shares reports whether memory of a variable gets another name where the variable is used or defined.
func (a *analysis) shares(c inspector.Cursor, defined bool) bool {
	for ; ; c = c.Parent() {
		switch kind, _ := c.ParentEdge(); kind {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.StarExpr_X, edge.ParenExpr_X, edge.CallExpr_Fun:
			continue
		case edge.AssignStmt_Lhs:
			call, ok := c.Parent().Node().(*ast.AssignStmt).Rhs[0].(*ast.CallExpr)
			return defined && (!ok || slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return a.refers(a.pass.TypesInfo.TypeOf(e)) }))
		case edge.CallExpr_Args:
			return a.refers(a.pass.TypesInfo.TypeOf(c.Parent().Node().(ast.Expr)))
		case edge.BinaryExpr_X, edge.IncDecStmt_X, edge.ExprStmt_X:
			return false
		}
		e, ok := c.Node().(ast.Expr)
		return defined || !ok || a.refers(a.pass.TypesInfo.TypeOf(e))
	}
}

// nameOf returns the name of a function for messages, with its package and receiver.
func nameOf(fn *types.Func) string {
	name := nameInTable(fn)
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(name[strings.LastIndexByte(name, '/')+1:])
}
