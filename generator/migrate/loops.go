// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// pass is one run of a loop's body: with an element that stands for all, or with one item of a list.
type pass struct {
	conds      []atom
	key, value value
	loop       int
}

func (f *frame) rangeOver(st *state, s *ast.RangeStmt, over value) (out []outcome) {
	var passes []pass
	switch over := over.(type) {
	case *nothing:
	case *place:
		elem, key := f.element(s, over)
		some := atom{at: over.steps, op: isEmpty, typ: over.typ, not: true}
		passes = []pass{{conds: []atom{some}, key: key, value: elem, loop: f.loops}}
	case *list:
		for _, it := range over.items {
			p := pass{conds: it.conds, key: &opaque{"the position in a list"}, value: it.value}
			if over.set {
				p.key = it.value
			}
			passes = append(passes, p)
		}
	default:
		f.fail(s.X, "a loop over %s", describe(over))
	}
	for _, p := range passes {
		if slices.ContainsFunc(p.conds, func(a atom) bool { return slices.ContainsFunc(st.conds, a.contradicts) }) {
			continue
		}
		entry := st.with(p.conds...)
		f.bind(entry, s.Key, p.key)
		f.bind(entry, s.Value, p.value)
		var on, left []outcome
		for _, o := range f.block(entry, s.Body.List) {
			if o.end == next || o.end == continued {
				on = append(on, o)
			} else {
				left = append(left, o)
			}
		}
		// conditions of p count as conditions of the body
		after := merge(&state{st.vars, st.conds}, on, true)
		for _, o := range left {
			if p.loop == 0 && len(passes) > 1 || p.loop > 0 && changed(st, after) {
				f.fail(s, "a loop that collects values and ends early")
			}
			if o.end == broke {
				o.end = next
			}
			out = append(out, o)
		}
		if len(left) > 0 {
			f.loops++ // names the condition
			id := p.loop
			if id == 0 {
				id = f.loops
			}
			f.first[id] = f.in.position(s)
			after.conds = append(after.conds, atom{op: noMatch, value: fmt.Sprint(id)})
		}
		st = after
	}
	return append(out, outcome{st: st})
}

func changed(before, after *state) bool {
	for v, was := range before.vars {
		if after.vars[v] != was {
			return true
		}
	}
	return false
}

// element begins a loop over a list or map in the object, and returns its element and the loop's position.
func (f *frame) element(n ast.Node, over *place) (elem *place, key value) {
	f.loops++
	switch t := deref(over.typ).Underlying().(type) {
	case *types.Slice:
		elem = over.to(t.Elem(), step{loop: f.loops})
	case *types.Array:
		elem = over.to(t.Elem(), step{loop: f.loops})
	case *types.Map:
		return over.to(t.Elem(), step{loop: f.loops}), &opaque{"the key of a map"}
	default:
		f.fail(n, "a loop over %s", over.typ)
	}
	return elem, &position{pathText(over.steps, nil), elem}
}

// counted returns the list of for i := 0; i < len(list); i++, and i.
func counted(s *ast.ForStmt) (list ast.Expr, i *ast.Ident) {
	init, ok := s.Init.(*ast.AssignStmt)
	cond, isCond := s.Cond.(*ast.BinaryExpr)
	_, isPost := s.Post.(*ast.IncDecStmt)
	if !ok || !isCond || !isPost || len(init.Lhs) != 1 || cond.Op != token.LSS {
		return nil, nil
	}
	call, ok := cond.Y.(*ast.CallExpr)
	if zero, isLit := init.Rhs[0].(*ast.BasicLit); !ok || !isLit || zero.Value != "0" || len(call.Args) != 1 ||
		types.ExprString(call.Fun) != "len" {
		return nil, nil
	}
	i, _ = init.Lhs[0].(*ast.Ident)
	return call.Args[0], i
}
