// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// An evaluator runs an index function on a symbolic object. Conditions split the state, and loops run once with an
// element that stands for all.
type evaluator struct {
	prog   *program
	root   *place // the object; its type is nil until the function asserts it
	loops  int
	steps  int
	first  map[int]token.Position // loops that end at their first match
	fields map[string]bool        // JSON names of the fields that the function reads
	words  map[string]bool        // constants that it compares with, and keys of maps
	built  map[string]*list       // lists whose length was asked for, by the value of the noMatch condition
}

// A state holds the variables, and the conditions under which execution comes here.
type state struct {
	vars  map[types.Object]value
	conds []atom
}

func (s *state) with(a ...atom) *state {
	return &state{maps.Clone(s.vars), append(s.conds[:len(s.conds):len(s.conds)], a...)}
}

// frame evaluates code of one package.
type frame struct {
	*evaluator
	in    *source
	depth int
}

// notUnderstood is panicked with by the evaluator and recovered by evaluate.
type notUnderstood struct {
	at   token.Position
	what string
}

func (f *frame) fail(n ast.Node, format string, args ...any) {
	panic(notUnderstood{f.in.position(n), fmt.Sprintf(format, args...)})
}

// end is how statements end.
type end int

const (
	next end = iota
	returned
	broke
	continued
)

type outcome struct {
	st    *state
	end   end
	value value // of returned
}

const maxSteps = 20000

func (f *frame) block(st *state, stmts []ast.Stmt) (out []outcome) {
	states := []outcome{{st: st}}
	for _, stmt := range stmts {
		var after []outcome
		for _, s := range states {
			for _, o := range f.stmt(s.st, stmt) {
				if o.end == next {
					after = append(after, o)
				} else {
					out = append(out, o)
				}
			}
		}
		states = after
	}
	return append(out, states...)
}

func (f *frame) stmt(st *state, stmt ast.Stmt) (out []outcome) {
	if f.evaluator.steps++; f.evaluator.steps > maxSteps {
		f.fail(stmt, "too many combinations of conditions")
	}
	add := func(st *state) { out = append(out, outcome{st: st}) }
	switch s := stmt.(type) {
	case *ast.BlockStmt:
		return f.block(st, s.List)
	case *ast.EmptyStmt:
		add(st)
	case *ast.ReturnStmt:
		f.exprs(st, s.Results, func(st *state, vs []value) {
			out = append(out, outcome{st, returned, single(vs)})
		})
	case *ast.IfStmt:
		init := []outcome{{st: st}}
		if s.Init != nil {
			init = f.stmt(st, s.Init)
		}
		for _, o := range init {
			var branches []outcome
			f.cond(o.st, s.Cond, func(st *state, yes bool) {
				switch {
				case yes:
					branches = append(branches, f.block(st, s.Body.List)...)
				case s.Else != nil:
					branches = append(branches, f.stmt(st, s.Else)...)
				default:
					branches = append(branches, outcome{st: st})
				}
			})
			out = append(out, join(o.st, branches)...)
		}
	case *ast.AssignStmt:
		f.assign(st, s, add)
	case *ast.DeclStmt:
		f.declare(st, s, add)
	case *ast.ExprStmt:
		f.effect(st, s.X, add)
	case *ast.RangeStmt:
		f.expr(st, s.X, func(st *state, over value) { out = append(out, f.rangeOver(st, s, over)...) })
	case *ast.ForStmt:
		if x, i := counted(s); x != nil {
			f.expr(st, x, func(st *state, over value) {
				out = append(out, f.rangeOver(st, &ast.RangeStmt{For: s.For, Key: i, Tok: token.DEFINE, X: x, Body: s.Body}, over)...)
			})
			break
		}
		f.fail(s, "a loop that is not over a list or map")
	case *ast.SwitchStmt:
		out = f.switchOn(st, s)
	case *ast.TypeSwitchStmt:
		out = f.typeSwitch(st, s)
	case *ast.BranchStmt:
		switch {
		case s.Label != nil || s.Tok != token.CONTINUE && s.Tok != token.BREAK:
			f.fail(s, "%s to a label, or in a switch", s.Tok)
		case s.Tok == token.BREAK:
			out = append(out, outcome{st: st, end: broke})
		default:
			out = append(out, outcome{st: st, end: continued})
		}
	default:
		f.fail(stmt, "a statement of kind %T", stmt)
	}
	return out
}

func single(vs []value) value {
	switch len(vs) {
	case 0:
		return &nothing{}
	case 1:
		return vs[0]
	}
	return &tuple{vs}
}

// join makes one state of the ends of all branches, if these differ only in what they appended to lists.
func join(before *state, branches []outcome) []outcome {
	if len(branches) < 2 || slices.ContainsFunc(branches, func(o outcome) bool { return o.end != next }) {
		return branches
	}
	if joined := merge(before, branches, false); joined != nil {
		return []outcome{{st: joined}}
	}
	return branches
}

// merge returns before with what the outcomes appended to its lists, under their conditions. If another variable
// was changed, it is poisoned, or the result is nil.
func merge(before *state, outs []outcome, poison bool) *state {
	merged := before.with()
	for v, old := range before.vars {
		var items []item
		grown := &list{}
		for _, o := range outs {
			is := o.st.vars[v]
			if is == old {
				continue
			}
			l, ok := is.(*list)
			was, listed := old.(*list)
			if _, none := old.(*nothing); none && ok {
				was, listed = &list{}, true
			}
			if !ok || !listed || len(l.items) < len(was.items) {
				if !poison {
					return nil
				}
				merged.vars[v], items = &poisoned{}, nil
				break
			}
			grown.set, grown.sized = l.set, l.sized
			items = append(items, guarded(l.items[len(was.items):], o.st.conds[len(before.conds):])...)
		}
		if len(items) > 0 {
			was, _ := old.(*list)
			if was == nil {
				was = &list{}
			}
			grown.items = append(was.items[:len(was.items):len(was.items)], simplified(items)...)
			merged.vars[v] = grown
		}
	}
	return merged
}

// guarded returns items under further conditions.
func guarded(items []item, conds []atom) []item {
	var out []item
	for _, it := range items {
		out = append(out, item{append(conds[:len(conds):len(conds)], it.conds...), it.value})
	}
	return out
}

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

func (f *frame) switchOn(st *state, s *ast.SwitchStmt) (out []outcome) {
	init := []outcome{{st: st}}
	if s.Init != nil {
		init = f.stmt(st, s.Init)
	}
	var clauses []*ast.CaseClause
	var otherwise []ast.Stmt
	for _, c := range s.Body.List {
		if c := c.(*ast.CaseClause); c.List != nil {
			clauses = append(clauses, c)
		} else {
			otherwise = c.Body
		}
	}
	for _, o := range init {
		var ends []outcome
		var from func(st *state, tag value, clause, i int)
		from = func(st *state, tag value, clause, i int) {
			if clause == len(clauses) {
				ends = append(ends, f.block(st, otherwise)...)
				return
			}
			c := clauses[clause]
			if i == len(c.List) {
				from(st, tag, clause+1, 0)
				return
			}
			k := func(st *state, yes bool) {
				if yes {
					ends = append(ends, f.block(st, c.Body)...)
				} else {
					from(st, tag, clause, i+1)
				}
			}
			if s.Tag == nil {
				f.cond(st, c.List[i], k)
				return
			}
			f.expr(st, c.List[i], func(st *state, v value) { f.equal(st, c.List[i], tag, v, k) })
		}
		if s.Tag == nil {
			from(o.st, nil, 0, 0)
		} else {
			f.expr(o.st, s.Tag, func(st *state, tag value) { from(st, tag, 0, 0) })
		}
		for i := range ends {
			if ends[i].end == broke {
				ends[i].end = next
			}
		}
		out = append(out, join(o.st, ends)...)
	}
	return out
}

func (f *frame) typeSwitch(st *state, s *ast.TypeSwitchStmt) (out []outcome) {
	var x ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0].(*ast.TypeAssertExpr).X
	case *ast.ExprStmt:
		x = a.X.(*ast.TypeAssertExpr).X
	}
	f.expr(st, x, func(st *state, v value) {
		var chosen, otherwise *ast.CaseClause
		for _, c := range s.Body.List {
			c := c.(*ast.CaseClause)
			if c.List == nil {
				otherwise = c
			}
			for _, t := range c.List {
				if chosen == nil && f.asserted(t, v, f.in.info.TypeOf(t)) != nil {
					chosen = c
					v = f.asserted(t, v, f.in.info.TypeOf(t))
				}
			}
		}
		if chosen == nil {
			chosen = otherwise
		}
		if chosen == nil {
			out = append(out, outcome{st: st})
			return
		}
		st = st.with()
		if v2 := f.in.info.Implicits[chosen]; v2 != nil {
			st.vars[v2] = v
		}
		out = append(out, f.block(st, chosen.Body)...)
	})
	return out
}
