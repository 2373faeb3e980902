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

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
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
	l := &looping{frame: f, it: &iteration{}, body: body}
	at := begin(body)
	f.at = at
	for _, instr := range header.Instrs {
		switch x := instr.(type) {
		case *ssa.Phi:
			start := f.way(x, from)
			if text := describe(start); isInteger(x.Type()) && (text == "-1" || text == "0") {
				start = l.it
			} else {
				l.vars = append(l.vars, x)
			}
			f.values[x] = start
		case *ssa.If:
		default:
			f.instruction(instr, l.it)
		}
	}
	if l.it.over == nil {
		f.fail("a loop that is not over a list or map")
	}
	passes := f.passes(l.it)
	for _, p := range passes {
		l.grow(p)
	}
	f.at = at
	switch {
	case !l.left:
		return header.Succs[1], header
	case l.grown || len(passes) > 1:
		f.fail("a loop that collects values and ends early")
	}
	f.first[l.it.loop] = f.prog.position(at)
	if f.ask(atom{op: noMatch, value: fmt.Sprint(l.it.loop)}) {
		return header.Succs[1], header
	}
	if to, last = l.enter(passes[0]); to == header {
		f.stop() // the element does not match
	}
	return to, last
}

// looping is the evaluation of a loop.
type looping struct {
	*frame
	it    *iteration
	body  []*ssa.BasicBlock
	vars  []*ssa.Phi // that the loop may change
	grown bool
	left  bool // the body can end the loop
}

// enter evaluates the body, and returns where it ends, and from where.
func (l *looping) enter(p pass) (to, last *ssa.BasicBlock) {
	l.assume(p.conds)
	l.it.key, l.it.elem = p.key, p.value
	header := l.body[0]
	return l.blocks(header.Succs[0], header, l.body)
}

// grow evaluates the body for one pass, and adds to the lists what it appends.
func (l *looping) grow(p pass) {
	before, cells := l.values, l.cells
	ends := l.explore(func() (ends []value) {
		l.values = maps.Clone(before)
		for _, v := range l.vars {
			if l.values[v] = (&list{one(growing), sized(before[v])}); !isList(before[v]) {
				l.values[v] = differing(v.Comment)
			}
		}
		to, last := l.enter(p)
		if to != l.body[0] {
			l.left = true
			l.stop()
		}
		for _, v := range l.vars {
			ends = append(ends, l.way(v, last))
		}
		return ends
	})
	l.values = before
	for i, v := range l.vars {
		if ends != nil {
			l.values[v] = l.with(v.Comment, before[v], one(growing), ends[i], p.conds)
		}
	}
	for c, was := range cells {
		l.cells[c] = l.with("a variable", was, elements(was), l.cells[c], p.conds)
	}
}

// with returns a list with what a pass, which started with some items, appended to it.
func (l *looping) with(name string, was value, start []item, is value, conds []atom) value {
	added := slices.DeleteFunc(slices.Clone(elements(is)), func(it item) bool { return slices.ContainsFunc(start, it.is) })
	switch {
	case same(was, is):
		return was
	case !isList(was) || !isList(is) || len(added) != len(elements(is))-len(start):
		return differing(name)
	}
	l.grown = l.grown || len(added) > 0
	return &list{append(slices.Clone(elements(was)), guarded(added, conds)...), sized(is)}
}

// differing is the value of a variable that changes in a loop.
func differing(name string) value { return &poisoned{name + ", which depends on an element of a list"} }

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
	if t, ok := gotypes.Deref(t).Underlying().(interface{ Elem() types.Type }); ok {
		return t.Elem()
	}
	return t
}
