// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// bind sets a variable in st, which must not be shared.
func (f *frame) bind(st *state, e ast.Expr, v value) {
	switch e := e.(type) {
	case nil:
	case *ast.Ident:
		if e.Name != "_" {
			st.vars[f.in.info.ObjectOf(e)] = v
		}
	default:
		f.fail(e, "an assignment to %s", types.ExprString(e))
	}
}

func (f *frame) assign(st *state, s *ast.AssignStmt, k func(*state)) {
	switch {
	case s.Tok == token.ADD_ASSIGN:
		f.exprs(st, []ast.Expr{s.Lhs[0], s.Rhs[0]}, func(st *state, vs []value) {
			st = st.with()
			f.bind(st, s.Lhs[0], f.concat(s, vs...))
			k(st)
		})
		return
	case s.Tok != token.ASSIGN && s.Tok != token.DEFINE:
		f.fail(s, "the operator %s", s.Tok)
	case len(s.Lhs) == 2 && len(s.Rhs) == 1:
		f.commaOK(st, s.Rhs[0], func(st *state, vs []value) { k(f.bound(st, s, vs)) })
		return
	}
	if index, ok := s.Lhs[0].(*ast.IndexExpr); ok && len(s.Lhs) == 1 {
		f.setElement(st, s, index, k)
		return
	}
	f.exprs(st, s.Rhs, func(st *state, vs []value) { k(f.bound(st, s, vs)) })
}

func (f *frame) bound(st *state, s *ast.AssignStmt, vs []value) *state {
	if t, ok := vs[0].(*tuple); ok && len(vs) == 1 && len(s.Lhs) > 1 {
		vs = t.values
	}
	if len(vs) != len(s.Lhs) {
		f.fail(s, "an assignment of several values")
	}
	st = st.with()
	for i, e := range s.Lhs {
		f.bind(st, e, vs[i])
	}
	return st
}

// setElement evaluates set[key] = x, and list[i] = x in a loop over the elements of another list.
func (f *frame) setElement(st *state, s *ast.AssignStmt, index *ast.IndexExpr, k func(*state)) {
	f.exprs(st, []ast.Expr{index.X, index.Index, s.Rhs[0]}, func(st *state, vs []value) {
		l, ok := vs[0].(*list)
		if !ok {
			f.fail(s, "an assignment to an element of %s", describe(vs[0]))
		}
		added := vs[2]
		if !l.sized {
			added = vs[1]
		} else if _, each := vs[1].(*position); !each {
			f.fail(s, "an assignment to a fixed position of a list")
		}
		st = st.with()
		f.bind(st, index.X, &list{append(l.items[:len(l.items):len(l.items)], item{value: added}), !l.sized, l.sized})
		k(st)
	})
}

// commaOK evaluates an expression with two results.
func (f *frame) commaOK(st *state, e ast.Expr, k func(*state, []value)) {
	switch e := ast.Unparen(e).(type) {
	case *ast.TypeAssertExpr:
		f.expr(st, e.X, func(st *state, v value) {
			v = f.asserted(e, v, f.in.info.TypeOf(e.Type))
			ok := &konst{constant.MakeBool(v != nil)}
			if v == nil {
				v = &nothing{}
			}
			k(st, []value{v, ok})
		})
	case *ast.IndexExpr:
		f.expr(st, e, func(st *state, v value) {
			p, ok := v.(*place)
			if !ok || !p.steps[len(p.steps)-1].key {
				f.fail(e, "an element of %s", describe(v))
			}
			f.assume(st, atom{at: p.steps, op: hasKey, typ: p.typ}, func(st *state, yes bool) {
				k(st, []value{p, &konst{constant.MakeBool(yes)}})
			})
		})
	default:
		f.expr(st, e, func(st *state, v value) { k(st, []value{v}) })
	}
}

func (f *frame) declare(st *state, s *ast.DeclStmt, k func(*state)) {
	d := s.Decl.(*ast.GenDecl)
	var names []*ast.Ident
	var es []ast.Expr
	st = st.with()
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || d.Tok == token.CONST {
			continue
		}
		if len(v.Values) == 0 {
			for _, name := range v.Names {
				f.bind(st, name, f.zero(name, f.in.info.TypeOf(name)))
			}
			continue
		}
		if len(v.Values) != len(v.Names) {
			f.fail(s, "a declaration of several variables")
		}
		names, es = append(names, v.Names...), append(es, v.Values...)
	}
	f.exprs(st, es, func(st *state, vs []value) {
		st = st.with()
		for i, name := range names {
			f.bind(st, name, vs[i])
		}
		k(st)
	})
}

// effect evaluates a call whose results are not used.
func (f *frame) effect(st *state, e ast.Expr, k func(*state)) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		f.fail(e, "the statement %s", types.ExprString(e))
	}
	if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "panic" && f.in.info.Uses[id] == types.Universe.Lookup("panic") {
		return // objects for which the function panics do not count
	}
	if fn := f.callee(call); fn != nil && harmless[fn.FullName()] {
		k(st)
		return
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Insert" || sel.Sel.Name == "Add") {
		if _, isVar := ast.Unparen(sel.X).(*ast.Ident); isVar && f.in.info.Selections[sel] != nil {
			f.exprs(st, append([]ast.Expr{sel.X}, call.Args...), func(st *state, vs []value) {
				l, ok := vs[0].(*list)
				if !ok {
					f.fail(e, "a call of %s", types.ExprString(call.Fun))
				}
				st = st.with()
				f.bind(st, sel.X, &list{f.appended(call, l, vs[1:]), true, false})
				k(st)
			})
			return
		}
	}
	f.call(st, call, func(st *state, _ value) { k(st) })
}

// harmless are functions that do not change which keys there are.
var harmless = map[string]bool{
	"sort.Strings": true, "slices.Sort": true,
	"(k8s.io/klog/v2.Verbose).Infof": true, "(k8s.io/klog/v2.Verbose).InfoS": true, "(k8s.io/klog/v2.Verbose).Info": true,
	"k8s.io/klog/v2.Infof": true, "k8s.io/klog/v2.InfoS": true, "k8s.io/klog/v2.ErrorS": true, "k8s.io/klog/v2.Errorf": true,
	"k8s.io/klog/v2.Warningf": true, "(github.com/go-logr/logr.Logger).Info": true, "(github.com/go-logr/logr.Logger).Error": true,
	"k8s.io/apimachinery/pkg/util/runtime.HandleError": true,
}

// appended returns the items of l and the values that a call appends to it.
func (f *frame) appended(call *ast.CallExpr, l *list, vs []value) []item {
	items := l.items[:len(l.items):len(l.items)]
	for i, v := range vs {
		if !call.Ellipsis.IsValid() || i < len(vs)-1 {
			items = append(items, item{value: v})
			continue
		}
		items = append(items, f.items(call, v)...)
	}
	return items
}

// items returns the elements of a list.
func (f *frame) items(n ast.Node, v value) []item {
	switch v := v.(type) {
	case *nothing:
		return nil
	case *list:
		if v.sized {
			for _, it := range v.items {
				if slices.ContainsFunc(it.conds, func(a atom) bool { return a.op != isEmpty || !a.not }) {
					f.fail(n, "a list that is made with its length and filled in part")
				}
			}
		}
		return v.items
	case *place:
		elem, _ := f.element(n, v)
		return []item{{value: elem}}
	}
	f.fail(n, "%s as a list", describe(v))
	return nil
}
