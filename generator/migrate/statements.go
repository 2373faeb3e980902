// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const (
	next end = iota
	returned
	broke
	continued
)

func (f *frame) block(st *state, stmts []ast.Stmt) (out []outcome) {
	states := []outcome{{st: st}}
	whole := true // the states are all that became of st
	for i, stmt := range stmts {
		if len(states) == 1 {
			st, whole = states[0].st, true
		}
		var after []outcome
		for _, s := range states {
			ends := f.stmt(s.st, stmt)
			if len(ends) > 1 && !slices.ContainsFunc(ends, func(o outcome) bool { return o.end != next }) {
				ends = f.rejoin(s.st, ends, stmts[i+1:])
			}
			for _, o := range ends {
				if o.end == next {
					after = append(after, o)
				} else {
					out, whole = append(out, o), false
				}
			}
		}
		states = after
		if whole && len(states) > 1 {
			states = f.rejoin(st, states, stmts[i+1:])
		}
	}
	return append(out, states...)
}

// rejoin makes one state of all that became of before, if the statements to come use none of the variables that were
// declared since and differ.
func (f *frame) rejoin(before *state, states []outcome, rest []ast.Stmt) []outcome {
	used := map[types.Object]bool{}
	for _, stmt := range rest {
		ast.Inspect(stmt, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				used[f.in.info.Uses[id]] = true
			}
			return true
		})
	}
	before = before.with()
	for v, first := range states[0].st.vars {
		if _, old := before.vars[v]; old || !used[v] {
			continue
		}
		if slices.ContainsFunc(states, func(o outcome) bool { return o.st.vars[v] != first }) {
			return states
		}
		before.vars[v] = first
	}
	return join(before, states)
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
