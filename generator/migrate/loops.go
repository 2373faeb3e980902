// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A pass is a run of a loop's body: with an element that stands for all, or with one item of a list.
type pass struct {
	conds      []atom
	key, value value
}

// growing is in a list that grows in a loop.
var growing = &opaque{"a list that grows in the loop"}

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

// begin returns the position of the first instruction that has one.
func begin(blocks []*ssa.BasicBlock) (out token.Pos) {
	for _, b := range blocks {
		for _, instr := range b.Instrs {
			if pos := instr.Pos(); pos.IsValid() && (pos < out || out == 0) {
				out = pos
			}
		}
	}
	return out
}

// loop evaluates a loop over a list or map, and returns where execution goes on, and from where. Lists may grow in the
// loop. Other variables that change in it have no value.
func (f *frame) loop(header, from *ssa.BasicBlock, body []*ssa.BasicBlock) (to, last *ssa.BasicBlock) {
	it := &iteration{}
	var vars []*ssa.Phi
	f.at = begin(body)
	for _, instr := range header.Instrs {
		switch x := instr.(type) {
		case *ssa.Phi:
			start := f.way(x, from)
			if text := describe(start); isInteger(x.Type()) && (text == "-1" || text == "0") {
				start = it
			} else {
				vars = append(vars, x)
			}
			f.values[x] = start
		case *ssa.If:
		default:
			f.instruction(instr, it)
		}
	}
	if it.over == nil {
		f.fail("a loop that is not over a list or map")
	}
	at := f.at
	l := &looping{f, it, header, body, vars, false}
	passes, grown := f.passes(it), false
	for _, p := range passes {
		grown = l.grow(p) || grown
	}
	if !l.left {
		return header.Succs[1], header
	}
	f.at = at
	if grown || len(passes) > 1 {
		f.fail("a loop that collects values and ends early")
	}
	f.first[it.loop] = f.prog.position(at)
	if f.ask(atom{op: noMatch, value: fmt.Sprint(it.loop)}) {
		return header.Succs[1], header
	}
	to, last = l.enter(passes[0])
	if to == header {
		f.stop() // the element does not match
	}
	return to, last
}

// looping is the evaluation of a loop.
type looping struct {
	*frame
	it     *iteration
	header *ssa.BasicBlock
	body   []*ssa.BasicBlock
	vars   []*ssa.Phi
	left   bool // the body can end the loop
}

// enter evaluates the body, and returns where it ends, and from where.
func (l *looping) enter(p pass) (to, last *ssa.BasicBlock) {
	l.assume(p.conds)
	l.it.key, l.it.elem = p.key, p.value
	return l.blocks(l.header.Succs[0], l.header, l.body)
}

// run returns the variables after a pass that comes back to the header.
func (l *looping) run(p pass) map[ssa.Value]value {
	before := l.values
	defer func() { l.values = before }()
	results := l.explore(func() (ends []value) {
		l.values = maps.Clone(before)
		to, last := l.enter(p)
		if to != l.header {
			l.left = true
			l.stop()
		}
		for _, v := range l.vars {
			ends = append(ends, l.way(v, last))
		}
		return ends
	})
	ends := map[ssa.Value]value{}
	for i, v := range results {
		ends[l.vars[i]] = v
	}
	return ends
}

// grow evaluates a pass twice: to find the variables that change, and with what these have at the start of any pass.
// It reports whether there are some.
func (l *looping) grow(p pass) bool {
	values, cells := l.values, l.cells
	ends := l.run(p)
	var vars []ssa.Value
	var changed []*cell
	l.values, vars = started(values, ends)
	l.cells, changed = started(cells, l.cells)
	if len(vars)+len(changed) == 0 {
		return false
	}
	ends = l.run(p)
	after := l.cells
	l.values, l.cells = values, maps.Clone(after)
	maps.Copy(l.cells, cells)
	for _, v := range vars {
		l.values[v] = grown(v, values[v], ends[v], p.conds)
	}
	for _, c := range changed {
		l.cells[c] = grown(c, cells[c], after[c], p.conds)
	}
	return true
}

// started returns variables as they are at the start of any pass, and which of them change.
func started[K comparable](before, after map[K]value) (out map[K]value, changed []K) {
	out = maps.Clone(before)
	for k, v := range after {
		if was, ok := before[k]; ok && !same(was, v) {
			changed = append(changed, k)
			if out[k] = (&list{one(growing), sized(was)}); !isList(was) {
				out[k] = differing(k)
			}
		}
	}
	return out, changed
}

// differing is the value of a variable that depends on an element of a list.
func differing(variable any) value {
	name := "a variable"
	if phi, ok := variable.(*ssa.Phi); ok {
		name = phi.Comment
	}
	return &poisoned{name + ", which depends on an element of a list"}
}

// grown returns a list with what a pass appended to it.
func grown(variable any, was, is value, conds []atom) value {
	l, ok := is.(*list)
	if !ok || !slices.ContainsFunc(l.items, item{value: growing}.is) {
		return differing(variable)
	}
	added := slices.DeleteFunc(slices.Clone(l.items), item{value: growing}.is)
	return &list{append(slices.Clone(elements(was)), guarded(added, conds)...), l.sized}
}

// passes returns how the body of a loop runs.
func (f *frame) passes(it *iteration) (out []pass) {
	it.loop = f.number(identity(it.over))
	if over, ok := it.over.(*place); ok {
		some := atom{at: over.steps, op: isEmpty, typ: over.typ, not: true}
		return []pass{{[]atom{some}, &opaque{"the key of a map"}, over.to(elemOf(over.typ), step{loop: it.loop})}}
	}
	for _, x := range f.list(it.over).items {
		if x.value == growing {
			f.fail("a loop over %s", growing.what)
		}
		out = append(out, pass{x.conds, x.value, x.value})
	}
	return out
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
	if t, ok := deref(t).Underlying().(interface{ Elem() types.Type }); ok {
		return t.Elem()
	}
	return t
}
