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
	"golang.org/x/tools/go/ast/inspector"
)

// diagnostic tells the way of an object from a cache to a write, and the fix.
func (a *packageAnalysis) diagnostic(e effect) goanalysis.Diagnostic {
	var steps []string
	for _, s := range e.Way {
		steps = append(steps, s.Text+" ("+s.Place+")")
	}
	text := "write to an object that is shared with a cache: " + strings.Join(steps, ", ") + "; copy it first"
	d := goanalysis.Diagnostic{Pos: e.pos, Message: text}
	if v := a.writtenObjectVariable(e.site); v != nil {
		fix := v.Name() + " = " + v.Name() + ".DeepCopy()"
		d.Message += ": " + fix
		if at := a.copyInsertPos(v, e.pos); at.IsValid() {
			edit := goanalysis.TextEdit{Pos: at, End: at, NewText: []byte(fix + "\n")}
			d.SuggestedFixes = []goanalysis.SuggestedFix{{Message: "Copy " + v.Name(), TextEdits: []goanalysis.TextEdit{edit}}}
		}
	}
	return d
}

// enclosingNodes yields the parts of the syntax that contain a position, from the innermost; none if it is not known.
func (a *packageAnalysis) enclosingNodes(pos token.Pos, types ...ast.Node) iter.Seq[inspector.Cursor] {
	if c, ok := a.syntax.Root().FindByPos(pos, pos); ok {
		return c.Enclosing(types...)
	}
	return func(func(inspector.Cursor) bool) {}
}

// writtenOrCallExpr returns what is written at a position: an expression, or a call that has it as an argument.
func (a *packageAnalysis) writtenOrCallExpr(pos token.Pos) ast.Expr {
	for c := range a.enclosingNodes(pos, (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.CallExpr)(nil)) {
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

// writtenObjectVariable returns the local variable that has the object which is written, or nil.
func (a *packageAnalysis) writtenObjectVariable(at site) (found *types.Var) {
	e := a.writtenOrCallExpr(at.pos)
	if call, ok := e.(*ast.CallExpr); ok {
		args := call.Args
		if s, ok := call.Fun.(*ast.SelectorExpr); ok && a.pass.TypesInfo.Selections[s] != nil {
			args = append([]ast.Expr{s.X}, args...)
		}
		if call.Lparen != at.pos || at.receiverOrArgIndex < 0 || at.receiverOrArgIndex >= len(args) {
			return nil
		}
		e = args[at.receiverOrArgIndex]
	}
	done := false // the first expression that is no path begins it
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.ParenExpr, *ast.UnaryExpr:
			return !done
		case *ast.Ident:
			v, ok := a.pass.TypesInfo.Uses[n].(*types.Var)
			if ok && !done && v.Kind() >= types.LocalVar && isObjectWithTypedDeepCopy(v.Type()) {
				found = v
			}
		}
		done = true
		return false
	})
	return found
}

// isObjectWithTypedDeepCopy reports whether a type has objects, no parts of them, and DeepCopy returns the same type.
func isObjectWithTypedDeepCopy(t types.Type) bool {
	object, _, _ := types.LookupFieldOrMethod(t, false, nil, "DeepCopyObject")
	method, _, _ := types.LookupFieldOrMethod(t, false, nil, "DeepCopy")
	fn, ok := method.(*types.Func)
	same := types.NewTuple(types.NewVar(token.NoPos, nil, "", t))
	return ok && object != nil && types.Identical(fn.Signature().Results(), same)
}

// copyInsertPos returns the beginning of the statement at a position, where a copy can be inserted, if the object of
// a variable has no other name there: a statement of the same block defines it by a call that gets no memory, and no
// statement between them uses the variable.
func (a *packageAnalysis) copyInsertPos(v *types.Var, pos token.Pos) token.Pos {
	first := pos
	for name, used := range a.pass.TypesInfo.Uses {
		if used == v {
			first = min(first, name.Pos())
		}
	}
	for c := range a.enclosingNodes(pos, (*ast.BlockStmt)(nil)) {
		list := c.Node().(*ast.BlockStmt).List
		i := slices.IndexFunc(list, func(s ast.Stmt) bool { return s.Pos() == v.Pos() })
		n := slices.IndexFunc(list, func(s ast.Stmt) bool { return pos < s.End() })
		refers := func(arg ast.Expr) bool { return a.canRefer(a.pass.TypesInfo.TypeOf(arg)) }
		if i >= 0 && n >= 0 && list[n].Pos() <= first {
			call, ok := list[i].(*ast.AssignStmt).Rhs[0].(*ast.CallExpr) // the statement begins with the variable
			if ok && !slices.ContainsFunc(call.Args, refers) {
				return list[n].Pos()
			}
		}
		break
	}
	return token.NoPos
}

// functionName returns the name of a function for messages, with its package and receiver.
func functionName(fn *types.Func) string {
	name := tableName(fn)
	return strings.NewReplacer("(", "", "*", "", ")", "").Replace(name[strings.LastIndexByte(name, '/')+1:])
}
