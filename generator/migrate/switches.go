// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import "go/ast"

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
