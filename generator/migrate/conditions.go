// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
)

// cond evaluates a boolean expression.
func (f *frame) cond(st *state, e ast.Expr, k func(*state, bool)) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		f.cond(st, e.X, k)
		return
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			f.cond(st, e.X, func(st *state, yes bool) { k(st, !yes) })
			return
		}
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND, token.LOR:
			f.cond(st, e.X, func(st *state, yes bool) {
				if yes == (e.Op == token.LOR) {
					k(st, yes)
				} else {
					f.cond(st, e.Y, k)
				}
			})
			return
		case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
			if f.length(st, e, k) {
				return
			}
			if e.Op != token.EQL && e.Op != token.NEQ {
				break
			}
			f.exprs(st, []ast.Expr{e.X, e.Y}, func(st *state, vs []value) {
				f.equal(st, e, vs[0], vs[1], func(st *state, yes bool) { k(st, yes == (e.Op == token.EQL)) })
			})
			return
		}
		if tv := f.in.info.Types[e]; tv.Value == nil {
			f.fail(e, "the comparison %s", types.ExprString(e))
		}
	}
	f.expr(st, e, func(st *state, v value) {
		switch v := v.(type) {
		case *konst:
			k(st, constant.BoolVal(v.Value))
		case *place:
			f.assume(st, atom{at: v.steps, op: equals, value: "true", typ: v.typ}, k)
		default:
			f.fail(e, "a condition on %s", describe(v))
		}
	})
}

// assume splits the state by a condition, unless the state decides it.
func (f *frame) assume(st *state, a atom, k func(*state, bool)) {
	for _, yes := range []bool{true, false} {
		if !yes {
			a = a.negated()
		}
		possible, known := true, false
		for _, c := range st.conds {
			possible = possible && !c.contradicts(a)
			known = known || c.implies(a)
		}
		switch {
		case known:
			k(st, yes)
		case possible:
			k(st.with(a), yes)
		}
	}
}

// length evaluates comparisons of len with a constant that ask whether something is empty.
func (f *frame) length(st *state, e *ast.BinaryExpr, k func(*state, bool)) bool {
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	var of ast.Expr
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		if fun.Name == "len" && len(call.Args) == 1 {
			of = call.Args[0]
		}
	case *ast.SelectorExpr: // of a set
		if fun.Sel.Name == "Len" && len(call.Args) == 0 {
			of = fun.X
		}
	}
	if of == nil {
		return false
	}
	limit := f.in.info.Types[e.Y].Value
	if limit == nil {
		return false
	}
	n, _ := constant.Int64Val(limit)
	var whenEmpty bool // the result for nothing; it must be the opposite for anything
	switch {
	case e.Op == token.EQL && n == 0, e.Op == token.LSS && n == 1, e.Op == token.LEQ && n == 0:
		whenEmpty = true
	case e.Op == token.NEQ && n == 0, e.Op == token.GTR && n == 0, e.Op == token.GEQ && n == 1:
	default:
		f.fail(e, "the comparison %s", types.ExprString(e))
	}
	f.expr(st, of, func(st *state, v value) {
		f.empty(st, e, v, func(st *state, yes bool) { k(st, yes == whenEmpty) })
	})
	return true
}

// empty asks whether v is empty.
func (f *frame) empty(st *state, n ast.Node, v value, k func(*state, bool)) {
	switch v := v.(type) {
	case *place:
		f.assume(st, atom{at: v.steps, op: isEmpty, typ: v.typ}, k)
	case *konst:
		k(st, v.Kind() == constant.String && constant.StringVal(v.Value) == "")
	case *nothing:
		k(st, true)
	case *text:
		for _, p := range v.parts {
			if _, ok := p.(*konst); ok {
				k(st, false)
				return
			}
		}
		f.fail(n, "whether joined text is empty")
	case *list:
		for _, it := range v.items {
			if len(it.conds) == 0 && lastLoopOf(it.value) < 0 {
				k(st, false)
				return
			}
		}
		if len(v.items) == 0 {
			k(st, true)
			return
		}
		f.loops++
		a := atom{op: noMatch, value: fmt.Sprint(f.loops)}
		f.built[a.value] = v
		f.assume(st, a, k)
	default:
		f.fail(n, "the length of %s", describe(v))
	}
}

func lastLoopOf(v value) int {
	switch v := v.(type) {
	case *place:
		return lastLoop(v.steps)
	case *text:
		for _, p := range v.parts {
			if i := lastLoopOf(p); i >= 0 {
				return i
			}
		}
	}
	return -1
}

// equal compares two values.
func (f *frame) equal(st *state, n ast.Node, x, y value, k func(*state, bool)) {
	if _, ok := x.(*place); !ok {
		x, y = y, x
	}
	switch y := y.(type) {
	case *nothing:
		f.none(st, n, x, k)
		return
	case *konst:
		switch x := x.(type) {
		case *konst:
			k(st, constant.Compare(x.Value, token.EQL, y.Value))
			return
		case *place:
			f.equalTo(st, x, y, k)
			return
		case *text:
			if y.Kind() == constant.String && constant.StringVal(y.Value) == "" {
				f.empty(st, n, x, k)
				return
			}
		}
	}
	if _, ok := x.(*nothing); ok {
		f.none(st, n, y, k)
		return
	}
	f.fail(n, "a comparison of %s with %s", describe(x), describe(y))
}

// word notes a constant for random objects, which should have it at p.
func (f *frame) word(p *place, word string) {
	at := ""
	for _, s := range p.steps {
		if s.loop == 0 {
			at = s.name
		}
	}
	if !slices.Contains(f.words[at], word) {
		f.words[at] = append(f.words[at], word)
	}
}

func (f *frame) equalTo(st *state, x *place, y *konst, k func(*state, bool)) {
	a := atom{at: x.steps, op: equals, value: y.ExactString(), typ: x.typ}
	word := a.value
	if y.Kind() == constant.String {
		word = constant.StringVal(y.Value)
	}
	if word == "" {
		f.assume(st, atom{at: x.steps, op: isEmpty, typ: x.typ}, k)
		return
	}
	f.word(x, word)
	if a.value == "false" {
		a.value = "true"
		f.assume(st, a, func(st *state, yes bool) { k(st, !yes) })
		return
	}
	f.assume(st, a, k)
}

// none asks whether v is nil.
func (f *frame) none(st *state, n ast.Node, v value, k func(*state, bool)) {
	switch v := v.(type) {
	case *nothing:
		k(st, true)
	case *place:
		if v.never || len(v.steps) == 0 {
			k(st, false)
			return
		}
		a := atom{at: v.steps, op: isNil, typ: v.typ}
		if !isPointer(v.typ) {
			a.op = isEmpty
		}
		f.assume(st, a, k)
	case *list:
		f.empty(st, n, v, k)
	default:
		k(st, false)
	}
}
