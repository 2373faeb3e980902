// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/types"
)

// maxDepth is how deep calls of the program's functions are followed.
const maxDepth = 8

// callee returns the function that a call names, or nil.
func (f *frame) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := fun.(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	fn, _ := f.in.info.Uses[id].(*types.Func)
	if fn != nil {
		fn = fn.Origin()
	}
	return fn
}

func (f *frame) call(st *state, call *ast.CallExpr, k func(*state, value)) {
	tv := f.in.info.Types[ast.Unparen(call.Fun)]
	switch {
	case tv.IsType():
		f.expr(st, call.Args[0], func(st *state, v value) { k(st, f.converted(call, v, tv.Type)) })
		return
	case tv.IsBuiltin():
		f.builtin(st, call, k)
		return
	}
	fn := f.callee(call)
	if fn == nil {
		f.exprs(st, append([]ast.Expr{call.Fun}, call.Args...), func(st *state, vs []value) {
			c, ok := vs[0].(*closure)
			if !ok {
				f.fail(call, "a call of %s", types.ExprString(call.Fun))
			}
			f.enter(st, call, c, vs[1:], k)
		})
		return
	}
	args := call.Args
	method := fn.Signature().Recv() != nil
	if method {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || f.in.info.Selections[sel] == nil || f.in.info.Selections[sel].Kind() != types.MethodVal {
			f.fail(call, "a method expression")
		}
		args = append([]ast.Expr{sel.X}, args...)
	}
	f.exprs(st, args, func(st *state, vs []value) {
		if method && f.method(st, call, fn, vs, k) || !method && f.known(st, call, fn, vs, k) {
			return
		}
		if p, ok := vs[0].(*place); method && ok && types.IsInterface(fn.Signature().Recv().Type()) && p.typ != nil {
			obj, _, _ := types.LookupFieldOrMethod(p.typ, true, fn.Pkg(), fn.Name())
			if concrete, ok := obj.(*types.Func); ok {
				fn = concrete.Origin()
			}
		}
		c := f.prog.declared(fn)
		if c == nil {
			f.fail(call, "a call of %s", fn.FullName())
		}
		f.enter(st, call, c, vs, k)
	})
}

// enter runs the body of a function. A list that it returns under conditions is one value.
func (f *frame) enter(st *state, call *ast.CallExpr, c *closure, args []value, k func(*state, value)) {
	if f.depth >= maxDepth {
		f.fail(call, "calls deeper than %d", maxDepth)
	}
	g := &frame{f.evaluator, c.in, f.depth + 1}
	entry := st.with()
	g.parameters(entry, call, c, args)
	if c.signature.Results != nil {
		for _, field := range c.signature.Results.List {
			if len(field.Names) > 0 {
				f.fail(call, "a function with named results")
			}
		}
	}
	var lists []outcome
	outs := g.block(entry, c.body.List)
	for _, o := range outs {
		_, isList := o.value.(*list)
		_, isNil := o.value.(*nothing)
		if (isList || isNil) && !changed(st, o.st) {
			lists = append(lists, o)
		}
	}
	if len(lists) == len(outs) && len(outs) > 1 {
		var items []item
		for _, o := range lists {
			items = append(items, guarded(f.items(call, o.value), o.st.conds[len(st.conds):])...)
		}
		k(st, &list{items: simplified(items)})
		return
	}
	for _, o := range outs {
		if o.value == nil {
			o.value = &nothing{}
		}
		k(o.st, o.value)
	}
}

func (f *frame) parameters(st *state, n ast.Node, c *closure, args []value) {
	var names []*ast.Ident
	variadic := false
	for _, fields := range []*ast.FieldList{c.receiver, c.signature.Params} {
		if fields == nil {
			continue
		}
		for _, field := range fields.List {
			_, variadic = field.Type.(*ast.Ellipsis)
			names = append(names, field.Names...)
			if len(field.Names) == 0 {
				names = append(names, ast.NewIdent("_"))
			}
		}
	}
	if call, ok := n.(*ast.CallExpr); ok && variadic && !call.Ellipsis.IsValid() && len(args) >= len(names)-1 {
		rest := &list{}
		for _, v := range args[len(names)-1:] {
			rest.items = append(rest.items, item{value: v})
		}
		args = append(args[:len(names)-1:len(names)-1], rest)
	}
	if len(names) != len(args) {
		f.fail(n, "a call with other arguments than parameters")
	}
	for i, name := range names {
		f.bind(st, name, args[i])
	}
}

// converted returns v as another type.
func (f *frame) converted(n ast.Node, v value, t types.Type) value {
	switch v := v.(type) {
	case *place:
		if v.typ == nil || types.IsInterface(t) {
			return v
		}
		from, isBasic := v.typ.Underlying().(*types.Basic)
		to, toBasic := t.Underlying().(*types.Basic)
		if isBasic && toBasic && from.Info()&types.IsInteger != 0 && to.Info()&types.IsString != 0 {
			f.fail(n, "the character of a number")
		}
		return &place{v.steps, t, v.never}
	case *record:
		return &record{t, v.fields}
	}
	return v
}

func (f *frame) builtin(st *state, call *ast.CallExpr, k func(*state, value)) {
	name := types.ExprString(ast.Unparen(call.Fun))
	switch name {
	case "append":
		f.exprs(st, call.Args, func(st *state, vs []value) {
			if l, ok := vs[0].(*list); ok && l.sized {
				f.fail(call, "an append to a list that is made with a length")
			}
			k(st, &list{items: f.appended(call, &list{items: f.items(call, vs[0])}, vs[1:])})
		})
	case "make":
		sized := len(call.Args) == 2 && isSlice(f.in.info.TypeOf(call))
		if sized {
			if n := f.in.info.Types[call.Args[1]].Value; n != nil {
				if sized = n.ExactString() != "0"; sized {
					f.fail(call, "a list that is made with a constant length")
				}
			}
		}
		k(st, &list{sized: sized})
	case "new":
		k(st, f.zero(call, f.in.info.TypeOf(call.Args[0])))
	case "panic": // objects for which the function panics do not count
	default:
		f.fail(call, "a call of %s", name)
	}
}

func isSlice(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }
