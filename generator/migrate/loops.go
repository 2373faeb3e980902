// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// pass is one run of a loop's body: with an element that stands for all, or with one item of a list.
type pass struct {
	conds      []atom
	key, value value
}

// loop evaluates a loop over a list or map. Lists may grow in it. Other variables that change in it have no value.
func (f *frame) loop(header *ssa.BasicBlock, body []*ssa.BasicBlock) {
	it := &iteration{}
	before := f.state
	var lists []*ssa.Phi
	for _, instr := range header.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			f.instruction(instr, it)
			continue
		}
		start := flat(merged(f.ways(phi, f.edges[header])))
		switch {
		case isSlice(phi.Type()):
			lists = append(lists, phi)
			f.values[phi] = start
		case isInteger(phi.Type()) && len(start) == 1 && (describe(start[0].value) == "-1" || describe(start[0].value) == "0"):
			f.values[phi] = one(it)
		default:
			f.values[phi] = one(&poisoned{phi.Comment})
		}
	}
	if it.over == nil {
		f.at = header.Instrs[0].Pos()
		f.fail("a loop that is not over a list or map")
	}
	at := f.at
	passes := f.passes(it)
	left := func(do func(o outcome) outcome) (n int) { // the edges that end the loop early
		for b, edges := range f.edges {
			for i, o := range edges {
				if b != header && !slices.Contains(body, b) && slices.Contains(body, o.from) && o.from != header {
					edges[i] = do(o)
					n++
				}
			}
		}
		return n
	}
	grown := false
	entry := f.edges[header]
	for _, p := range passes {
		it.key, it.elem = p.key, p.value
		for _, b := range body {
			delete(f.edges, b)
		}
		f.state = &state{guarded([]item{{p.conds, none}}, before.reach), maps.Clone(before.cells)}
		f.leave(header, header.Succs[0], f.reach)
		f.blocks(body, header)
		ends := f.edges[header]
		if len(ends) == 0 {
			continue
		}
		for _, phi := range lists {
			was := f.values[phi]
			f.values[phi] = f.grown(phi.Comment, was, merged(f.ways(phi, ends)), p.conds)
			grown = grown || !sameItems(was, f.values[phi])
		}
		after := joined(ends)
		for c, was := range before.cells {
			if is := after.cells[c]; !sameItems(was, is) {
				before.cells[c], grown = f.grown("a variable", was, is, p.conds), true
			}
		}
	}
	f.edges[header], f.state = entry, before
	no := atom{op: noMatch, value: fmt.Sprint(it.loop)}
	if left(func(o outcome) outcome { o.state = &state{within(o.reach, no.negated()), o.cells}; return o }) > 0 {
		f.at = at
		if grown || len(passes) > 1 {
			f.fail("a loop that collects values and ends early")
		}
		f.first[it.loop] = f.prog.position(at)
		f.reach = within(f.reach, no)
	}
	f.leave(header, header.Succs[1], f.reach)
}

// within returns conditions with a further one.
func within(reach []item, a atom) []item {
	return guarded([]item{{[]atom{a}, none}}, reach)
}

// grown returns a list with what was appended to it in a loop.
func (f *frame) grown(name string, was, is []item, conds []atom) []item {
	if sameItems(was, is) {
		return was
	}
	if len(was) != 1 || len(is) != 1 || !isList(was[0].value) || !isList(is[0].value) {
		return one(&poisoned{name})
	}
	old, now := f.list(was[0].value), f.list(is[0].value)
	if len(now.items) < len(old.items) || !sameItems(old.items, now.items[:len(old.items)]) {
		return one(&poisoned{name})
	}
	added := guarded(now.items[len(old.items):], []item{{conds: conds}})
	return one(&list{append(old.items[:len(old.items):len(old.items)], added...), now.sized})
}

func isList(v value) bool { _, ok := v.(*list); return ok || isNone(v) }

// passes returns how the body of a loop runs.
func (f *frame) passes(it *iteration) (out []pass) {
	f.loops++
	it.loop = f.loops
	switch over := it.over.(type) {
	case *place:
		some := atom{at: over.steps, op: isEmpty, typ: over.typ, not: true}
		elem := over.to(elemOf(over.typ), step{loop: it.loop})
		return []pass{{[]atom{some}, &opaque{"the key of a map"}, elem}}
	default:
		for _, x := range f.list(over).items {
			out = append(out, pass{x.conds, x.value, x.value})
		}
	}
	return out
}

// elemOf returns the type of the elements of a list or map.
func elemOf(t types.Type) types.Type {
	if t, ok := deref(t).Underlying().(interface{ Elem() types.Type }); ok {
		return t.Elem()
	}
	return t
}
