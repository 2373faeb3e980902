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

// diagnostic tells the way of an object from a cache to a write, and the mend. The fix is at the first write of a
// variable.
func (a *analysis) diagnostic(pos token.Pos, r report) goanalysis.Diagnostic {
	var steps []string
	for _, s := range r.way {
		steps = append(steps, s.Text+" ("+s.Place+")")
	}
	text := "write to an object that is shared with a cache: " + strings.Join(steps, ", ") + "; copy it first"
	d := goanalysis.Diagnostic{Pos: pos, Message: text}
	if v := a.variable(pos, r.arg); v != nil {
		mend := v.Name() + " = " + v.Name() + ".DeepCopy()"
		d.Message += ": " + mend
		if at := a.sole(v, pos); !a.named[v] && at.IsValid() {
			edit := goanalysis.TextEdit{Pos: at, End: at, NewText: []byte(mend + "\n")}
			d.SuggestedFixes = []goanalysis.SuggestedFix{{Message: "Copy " + v.Name(), TextEdits: []goanalysis.TextEdit{edit}}}
		}
		a.named[v] = true
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

// variable returns the local variable that has the object which is written at a position, or nil.
func (a *analysis) variable(pos token.Pos, arg int) *types.Var {
	e := a.written(pos)
	if call, ok := e.(*ast.CallExpr); ok {
		args := call.Args
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && a.pass.TypesInfo.Selections[s] != nil {
			args = append([]ast.Expr{s.X}, args...)
		}
		if call.Lparen != pos || arg < 0 || arg >= len(args) {
			return nil
		}
		e = args[arg]
	}
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := a.pass.TypesInfo.Uses[x].(*types.Var); ok && v.Kind() >= types.LocalVar && isWhole(v.Type()) {
				return v
			}
			return nil
		default:
			return nil
		}
	}
}

// isWhole reports whether a type has objects, no parts of them, and DeepCopy returns the same type.
func isWhole(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(t, false, nil, "DeepCopyObject")
	method, _, _ := types.LookupFieldOrMethod(t, false, nil, "DeepCopy")
	fn, ok := method.(*types.Func)
	same := types.NewTuple(types.NewVar(token.NoPos, nil, "", t))
	return ok && object != nil && types.Identical(fn.Signature().Results(), same)
}

// sole returns the beginning of the statement at a position if a variable has an object there that has no other name:
// the block of that statement defines the variable by a call that gets no memory, and one function uses it, by this
// name.
func (a *analysis) sole(v *types.Var, pos token.Pos) (begin token.Pos) {
	var block ast.Node
	for c := range a.enclosing(pos) {
		if kind, _ := c.ParentEdge(); kind == edge.BlockStmt_List {
			begin, block = c.Node().Pos(), c.Parent().Node()
			break
		}
	}
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
		if name.Pos() != v.Pos() && a.shares(c) || name.Pos() == v.Pos() && !a.fromCall(c.Parent(), block) {
			return token.NoPos
		}
	}
	return begin
}

// fromCall reports whether a statement of a block defines a variable by a call that gets no memory.
func (a *analysis) fromCall(c inspector.Cursor, block ast.Node) bool {
	define, ok := c.Node().(*ast.AssignStmt)
	if !ok || c.Parent().Node() != block {
		return false
	}
	call, ok := define.Rhs[0].(*ast.CallExpr)
	return ok && len(define.Rhs) == 1 && !slices.ContainsFunc(call.Args, a.isReference)
}

func (a *analysis) isReference(e ast.Expr) bool { return a.refers(a.pass.TypesInfo.TypeOf(e)) }

// shares reports whether memory of a variable gets another name where the variable is used, or the variable another
// object.
func (a *analysis) shares(c inspector.Cursor) bool {
	for name := c; ; c = c.Parent() {
		switch kind, _ := c.ParentEdge(); kind {
		case edge.SelectorExpr_X, edge.IndexExpr_X, edge.StarExpr_X, edge.ParenExpr_X, edge.CallExpr_Fun:
			continue
		case edge.AssignStmt_Lhs:
			return c == name
		case edge.CallExpr_Args:
			return a.isReference(c.Parent().Node().(ast.Expr))
		case edge.BinaryExpr_X, edge.IncDecStmt_X, edge.ExprStmt_X:
			return false
		}
		e, ok := c.Node().(ast.Expr)
		return !ok || a.isReference(e)
	}
}

// nameOf returns the name of a function for messages, with its package and receiver.
func nameOf(fn *types.Func) string {
	name := nameInTable(fn)
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(name[strings.LastIndexByte(name, '/')+1:])
}
