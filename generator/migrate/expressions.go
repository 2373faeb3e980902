// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// expr evaluates e, and calls k for each way that its conditions may go.
func (f *frame) expr(st *state, e ast.Expr, k func(*state, value)) {
	if tv, ok := f.in.info.Types[e]; ok && tv.Value != nil {
		k(st, &konst{tv.Value})
		return
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.expr(st, e.X, k)
	case *ast.Ident:
		k(st, f.variable(st, e))
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			if _, imported := f.in.info.Uses[x].(*types.PkgName); imported {
				k(st, f.variable(st, e.Sel))
				return
			}
		}
		if sel := f.in.info.Selections[e]; sel != nil && sel.Kind() == types.MethodVal {
			k(st, f.variable(st, e.Sel))
			return
		}
		f.expr(st, e.X, func(st *state, v value) { k(st, f.field(e, v, e.Sel.Name)) })
	case *ast.StarExpr:
		f.expr(st, e.X, func(st *state, v value) { k(st, f.indirect(e, v)) })
	case *ast.UnaryExpr:
		switch e.Op {
		case token.AND:
			f.expr(st, e.X, func(st *state, v value) {
				if p, ok := v.(*place); ok {
					v = &place{p.steps, types.NewPointer(p.typ), true}
				}
				k(st, v)
			})
		case token.NOT:
			f.cond(st, e, func(st *state, yes bool) { k(st, &konst{constant.MakeBool(yes)}) })
		default:
			f.fail(e, "the operator %s", e.Op)
		}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			f.exprs(st, []ast.Expr{e.X, e.Y}, func(st *state, vs []value) { k(st, f.concat(e, vs...)) })
			return
		}
		f.cond(st, e, func(st *state, yes bool) { k(st, &konst{constant.MakeBool(yes)}) })
	case *ast.IndexExpr:
		if f.in.info.Types[e.X].IsValue() {
			f.exprs(st, []ast.Expr{e.X, e.Index}, func(st *state, vs []value) { k(st, f.at(e, vs[0], vs[1])) })
			return
		}
		f.expr(st, e.X, k) // an instantiation
	case *ast.SliceExpr:
		if e.Low != nil || e.High != nil || e.Max != nil {
			f.fail(e, "a slice expression")
		}
		f.expr(st, e.X, k)
	case *ast.FuncLit:
		k(st, &closure{e.Type, e.Body, nil, f.in})
	case *ast.CompositeLit:
		f.literal(st, e, k)
	case *ast.TypeAssertExpr:
		f.expr(st, e.X, func(st *state, v value) {
			if v := f.asserted(e, v, f.in.info.TypeOf(e.Type)); v != nil {
				k(st, v) // otherwise it panics
			}
		})
	case *ast.CallExpr:
		f.call(st, e, k)
	default:
		f.fail(e, "an expression of kind %T", e)
	}
}

// exprs evaluates several expressions from left to right.
func (f *frame) exprs(st *state, es []ast.Expr, k func(*state, []value)) {
	var from func(st *state, vs []value)
	from = func(st *state, vs []value) {
		if len(vs) == len(es) {
			k(st, vs)
			return
		}
		f.expr(st, es[len(vs)], func(st *state, v value) { from(st, append(vs[:len(vs):len(vs)], v)) })
	}
	from(st, nil)
}

// variable returns what an identifier stands for.
func (f *frame) variable(st *state, id *ast.Ident) value {
	obj := f.in.info.ObjectOf(id)
	if v, ok := st.vars[obj]; ok {
		if _, bad := v.(*poisoned); bad {
			f.fail(id, "%s depends on an element of a list", id.Name)
		}
		return v
	}
	switch obj := obj.(type) {
	case *types.Nil:
		return &nothing{}
	case *types.Func:
		if c := f.prog.declared(obj); c != nil {
			return c
		}
	case *types.Var:
		if obj.Pkg() != nil && obj.Parent() == obj.Pkg().Scope() {
			return f.global(id, obj, f.prog.initializer)
		}
		if f.in.inits[obj] != nil && !f.in.assigned[obj] {
			return f.global(id, obj, func(*types.Var) (*source, ast.Expr) { return f.in, f.in.inits[obj] })
		}
	}
	f.fail(id, "%s, which is set outside the function", id.Name)
	return nil
}

// global returns the value of a variable outside the function that is set once.
func (f *frame) global(id *ast.Ident, obj *types.Var, initializer func(*types.Var) (*source, ast.Expr)) (out value) {
	in, init := initializer(obj)
	if init == nil || f.depth > maxDepth {
		f.fail(id, "the variable %s.%s", obj.Pkg().Name(), obj.Name())
	}
	g := &frame{f.evaluator, in, f.depth + 1}
	n := 0
	g.expr(&state{vars: map[types.Object]value{}}, init, func(_ *state, v value) { out = v; n++ })
	if n != 1 {
		f.fail(id, "the variable %s.%s", obj.Pkg().Name(), obj.Name())
	}
	return out
}

// field returns a field of v.
func (f *frame) field(n ast.Node, v value, name string) value {
	switch v := v.(type) {
	case *place:
		if v.typ == nil {
			f.fail(n, "%s of an object whose type is not asserted", name)
		}
		obj, index, _ := types.LookupFieldOrMethod(v.typ, true, f.packageOf(v.typ), name)
		if _, ok := obj.(*types.Var); !ok {
			f.fail(n, "%s, which is not a field", name)
		}
		out := v
		for _, i := range index {
			s := deref(out.typ).Underlying().(*types.Struct)
			json, inline := jsonField(s, i)
			switch {
			case inline:
				out = out.to(s.Field(i).Type())
			case json == "":
				f.fail(n, "the field %s, which is not in JSON", name)
			default:
				f.fields[json] = true
				out = out.to(s.Field(i).Type(), step{name: json})
			}
		}
		return out
	case *record:
		if set, ok := v.fields[name]; ok {
			return set
		}
		if s, ok := deref(v.typ).Underlying().(*types.Struct); ok {
			for field := range s.Fields() {
				if field.Name() == name {
					return f.zero(n, field.Type())
				}
			}
		}
	}
	f.fail(n, "the field %s of %s", name, describe(v))
	return nil
}

func (f *frame) packageOf(t types.Type) *types.Package {
	if named, ok := types.Unalias(deref(t)).(*types.Named); ok {
		return named.Obj().Pkg()
	}
	return f.in.types
}

func (f *frame) indirect(n ast.Node, v value) value {
	switch v := v.(type) {
	case *place:
		return &place{steps: v.steps, typ: deref(v.typ)}
	case *record:
		return v
	}
	f.fail(n, "a pointer to %s", describe(v))
	return nil
}

// at returns an element of a list or map.
func (f *frame) at(n ast.Node, v, index value) value {
	p, ok := v.(*place)
	if !ok {
		f.fail(n, "an element of %s", describe(v))
	}
	switch t := deref(p.typ).Underlying().(type) {
	case *types.Map:
		if c, ok := index.(*konst); ok && c.Kind() == constant.String {
			f.word(p, constant.StringVal(c.Value))
			return p.to(t.Elem(), step{name: constant.StringVal(c.Value), key: true})
		}
		f.fail(n, "a map key that is not constant")
	default:
		if i, ok := index.(*position); ok && i.of == pathText(p.steps, nil) {
			return i.elem
		}
	}
	f.fail(n, "an element at a fixed position of a list")
	return nil
}

// literal evaluates a struct, list or set literal.
func (f *frame) literal(st *state, e *ast.CompositeLit, k func(*state, value)) {
	t := deref(f.in.info.TypeOf(e))
	s, isStruct := t.Underlying().(*types.Struct)
	_, isMap := t.Underlying().(*types.Map)
	var names []string
	var es []ast.Expr
	for i, elt := range e.Elts {
		pair, ok := elt.(*ast.KeyValueExpr)
		switch {
		case ok && isStruct:
			names, es = append(names, pair.Key.(*ast.Ident).Name), append(es, pair.Value)
		case ok && isMap:
			es = append(es, pair.Key)
		case isStruct:
			names, es = append(names, s.Field(i).Name()), append(es, elt)
		case ok:
			f.fail(e, "a list literal with positions")
		default:
			es = append(es, elt)
		}
	}
	f.exprs(st, es, func(st *state, vs []value) {
		if isStruct {
			r := &record{t, map[string]value{}}
			for i, name := range names {
				r.fields[name] = vs[i]
			}
			k(st, r)
			return
		}
		l := &list{set: isMap}
		for _, v := range vs {
			l.items = append(l.items, item{value: v})
		}
		k(st, l)
	})
}
