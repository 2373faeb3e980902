// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

const (
	// growing stands in a list for what other passes of a loop append. Each list has its own.
	growing = "elements of other passes of the loop"
	// unset is in a list that is made with a length, until its elements are assigned.
	unset = "elements that are not assigned"
)

func grows(it item) bool { u, ok := it.value.(*unknown); return ok && u.what == growing }

func isUnset(it item) bool { u, ok := it.value.(*unknown); return ok && u.what == unset }

func unfinished(it item) bool { return grows(it) || isUnset(it) }

// loop returns the blocks from which execution comes back to b, which is the first of them, or nil.
func loop(b *ssa.BasicBlock) (body []*ssa.BasicBlock) {
	var visit func(p *ssa.BasicBlock)
	visit = func(p *ssa.BasicBlock) {
		if !slices.Contains(body, p) {
			body = append(body, p)
			for _, q := range p.Preds {
				visit(q)
			}
		}
	}
	for _, p := range b.Preds {
		if b.Dominates(p) {
			if body == nil {
				body = append(body, b)
			}
			visit(p)
		}
	}
	return body
}

// loop evaluates a loop over a list or map, and returns where execution goes on, and from where. Lists may grow in the
// loop. Other variables that change in it have no value.
func (f *frame) loop(header, from *ssa.BasicBlock, body []*ssa.BasicBlock) (to, last *ssa.BasicBlock) {
	l := &looping{frame: f, it: &iteration{}, body: body, vars: map[*ssa.Phi]*cell{}}
	f.at = cmp.Or(body[0].Instrs[0].Pos(), f.at)
	at := f.at
	for _, instr := range header.Instrs {
		switch x := instr.(type) {
		case *ssa.Phi:
			if was := f.way(x, from); counts(x, describe(was)) {
				l.it.phi, f.values[x] = x, l.it
			} else {
				l.vars[x], f.values[x] = &cell{}, differing
				f.cells[l.vars[x]] = was
			}
		case *ssa.If:
		default:
			f.instruction(instr, l.it)
		}
	}
	if l.it.over == nil {
		f.fail("a loop that is not over a list or map")
	}
	l.it.loop = f.number(fmt.Sprint(header.Index, identity(l.it.over)))
	passes := f.passes(l.it)
	for _, p := range passes {
		l.grow(p)
	}
	l.set()
	f.at = at
	switch {
	case len(l.matches) == 0:
		return header.Succs[1], header
	case l.grown || len(passes) > 1:
		f.fail("a loop that collects values and ends early")
	}
	first := &list{simplified(l.matches)}
	if known := f.first[l.it.loop]; known != nil && !same(known, first) {
		first = &list{}
	}
	f.first[l.it.loop] = first
	if f.ask(atom{op: noMatch, value: fmt.Sprint(l.it.loop), list: first}) {
		return header.Succs[1], header
	}
	if to, last = l.enter(passes[0]); to == header {
		f.stop() // the element does not match
	}
	return to, last
}

// counts reports whether a variable that starts with -1 or 0 counts the elements of a loop, one by one.
func counts(phi *ssa.Phi, start string) bool {
	header := phi.Block()
	last, _ := header.Instrs[len(header.Instrs)-1].(*ssa.If)
	if last == nil {
		return false
	}
	compared, _ := last.Cond.(*ssa.BinOp)
	plusOne := func(v ssa.Value) bool {
		add, ok := v.(*ssa.BinOp)
		return ok && add.Op == token.ADD && add.X == phi && add.Y.Name() == "1:int"
	}
	for i, p := range header.Preds {
		if header.Dominates(p) && !plusOne(phi.Edges[i]) {
			return false
		}
	}
	return compared != nil && (start == "0" && compared.X == phi || start == "-1" && plusOne(compared.X))
}

// looping is the evaluation of a loop.
type looping struct {
	*frame
	it      *iteration
	body    []*ssa.BasicBlock
	vars    map[*ssa.Phi]*cell // that the loop may change
	grown   bool
	matches []item // the elements with which the body ends the loop
}

// set gives the variables of the loop their values.
func (l *looping) set() {
	for phi, c := range l.vars {
		l.values[phi] = l.cells[c]
	}
}

// enter evaluates the body, and returns where it ends, and from where.
func (l *looping) enter(p item) (to, last *ssa.BasicBlock) {
	l.set()
	l.assume(p.conds)
	l.it.elem = p.value
	header := l.body[0]
	return l.blocks(header.Succs[0], header, func(b *ssa.BasicBlock) bool { return b == header || !slices.Contains(l.body, b) })
}

// grow evaluates the body for one pass, and adds to the lists what it appends. A variable that changes has another value
// at the start of each pass, so the body is evaluated again without its first one.
func (l *looping) grow(p item) {
	before := l.cells
	start := maps.Clone(before)
	for again := true; again; {
		again = false
		l.cells, l.matches = start, nil
		l.explore(func() { l.pass(p) })
		for c, was := range before {
			switch {
			case start[c] != was || same(was, l.cells[c]):
			case isList(was):
				kept := slices.DeleteFunc(slices.Clone(elements(was)), func(it item) bool { return !isUnset(it) })
				again, start[c] = true, &list{append(one(&unknown{growing, true}), kept...)}
			default:
				again, start[c] = true, differing
			}
		}
	}
	for c, was := range before {
		if start[c] != was {
			l.cells[c] = l.with(was, start[c], l.cells[c], p.conds)
		}
	}
}

// pass evaluates the body once.
func (l *looping) pass(p item) {
	to, last := l.enter(p)
	if to != l.body[0] {
		of := func(a atom) bool { i := lastLoop(a.at); return i < 0 || a.at[i].loop != l.it.loop }
		l.matches = append(l.matches, item{slices.DeleteFunc(slices.Clone(l.conds), of), l.it.elem})
		l.stop()
	}
	for phi, c := range l.vars {
		l.cells[c] = l.way(phi, last)
	}
}

// with returns a variable with what a pass appended to it, which began with start.
func (l *looping) with(was, start, is value, conds []atom) value {
	items := slices.Clone(elements(is))
	i := slices.IndexFunc(items, func(it item) bool { return isList(start) && it.is(elements(start)[0]) })
	if i < 0 {
		return differing
	}
	added := guarded(slices.Delete(items, i, i+1), conds)
	l.grown = l.grown || len(added) > 0
	return &list{append(slices.DeleteFunc(slices.Clone(elements(was)), isUnset), added...)}
}

// passes returns the elements with which the body of a loop runs: one that stands for all, or the items of a list.
func (f *frame) passes(it *iteration) []item {
	if over, ok := it.over.(*place); ok {
		some := atom{at: over.steps, op: isEmpty, typ: over.typ, not: true}
		return []item{{[]atom{some}, over.to(elemOf(over.typ), step{loop: it.loop})}}
	}
	items := f.list(it.over).items
	if i := slices.IndexFunc(items, unfinished); i >= 0 {
		f.fail("a loop over %s", describe(items[i].value))
	}
	return items
}

// number returns the number of a loop here, which is the same in all runs.
func (f *frame) number(over string) int {
	key := fmt.Sprint(f.site, f.at, over)
	if f.loops[key] == 0 {
		f.loops[key] = len(f.loops) + 1
	}
	return f.loops[key]
}

// elemOf returns the type of the elements of a list or map.
func elemOf(t types.Type) types.Type {
	if t, ok := gotypes.Deref(t).Underlying().(interface{ Elem() types.Type }); ok {
		return t.Elem()
	}
	return t
}
