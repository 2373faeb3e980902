// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// leave goes to another block, under conditions.
func (f *frame) leave(from, to *ssa.BasicBlock, reach []item) {
	if len(reach) > 0 {
		f.edges[to] = append(f.edges[to], outcome{state: &state{reach, f.cells}, from: from})
	}
}

// when returns the reach of f with a condition's value.
func (f *frame) when(cond []item, yes bool) []item {
	var out []item
	for _, it := range cond {
		if truth(it.value) == yes {
			out = append(out, item{it.conds, none})
		}
	}
	return guarded(out, f.reach)
}

// joined returns the state in which several edges meet.
func joined(edges []outcome) *state {
	if len(edges) == 1 {
		return &state{edges[0].reach, maps.Clone(edges[0].cells)}
	}
	out := &state{cells: map[*cell][]item{}}
	for _, e := range edges {
		for _, it := range e.reach {
			out.reach = append(out.reach, item{someMatch(it.conds), none})
		}
		maps.Copy(out.cells, e.cells)
	}
	out.reach = simplified(out.reach)
	for c := range out.cells {
		var ways []outcome
		for _, e := range edges {
			if v, ok := e.cells[c]; ok {
				ways = append(ways, outcome{state: e.state, value: v})
			}
		}
		out.cells[c] = merged(ways)
	}
	return out
}

// someMatch removes the conditions on the element at which a loop ended early. Variables with the element have them.
func someMatch(conds []atom) []atom {
	return slices.DeleteFunc(slices.Clone(conds), func(a atom) bool {
		i := lastLoop(a.at)
		return i >= 0 && slices.ContainsFunc(conds, func(b atom) bool {
			return b.op == noMatch && b.not && b.value == fmt.Sprint(a.at[i].loop)
		})
	})
}

func sameItems(a, b []item) bool {
	return slices.EqualFunc(a, b, sameItem)
}

func sameItem(x, y item) bool {
	return x.value == y.value && slices.EqualFunc(x.conds, y.conds, atom.is)
}

// merged returns the value of a variable where ways meet. What all ways have has no conditions.
func merged(ways []outcome) []item {
	if !slices.ContainsFunc(ways, func(w outcome) bool { return !sameItems(w.value, ways[0].value) }) {
		return ways[0].value
	}
	var out []item
	for _, w := range ways {
		out = append(out, guarded(w.value, w.reach)...)
	}
	return flat(simplified(out))
}

// flat makes one list of alternatives that are all lists, or nil.
func flat(items []item) []item {
	var ls []item
	some := (*list)(nil)
	for _, it := range items {
		l, ok := it.value.(*list)
		if !ok && !isNone(it.value) {
			return items
		}
		if ok {
			some = l
		} else {
			l = &list{}
		}
		ls = append(ls, item{it.conds, l})
	}
	if some == nil || len(items) == 1 {
		return items
	}
	out := &list{sized: some.sized}
	var conditional []item
	for _, it := range ls {
		for _, x := range it.value.(*list).items {
			everywhere := !slices.ContainsFunc(ls, func(o item) bool {
				return !slices.ContainsFunc(o.value.(*list).items, func(y item) bool { return sameItem(x, y) })
			})
			switch {
			case !everywhere:
				conditional = append(conditional, guarded([]item{x}, []item{it})...)
			case !slices.ContainsFunc(out.items, func(y item) bool { return sameItem(x, y) }):
				out.items = append(out.items, x)
			}
		}
	}
	out.items = append(out.items, simplified(conditional)...)
	return one(out)
}

// phis evaluates the variables that differ with the way to a block.
func (f *frame) phis(b *ssa.BasicBlock) {
	for _, instr := range b.Instrs {
		phi, ok := instr.(*ssa.Phi)
		if !ok {
			return
		}
		f.values[phi] = merged(f.ways(phi, f.edges[b]))
	}
}

// ways returns the values of a phi by edge.
func (f *frame) ways(phi *ssa.Phi, edges []outcome) (out []outcome) {
	for _, e := range edges {
		out = append(out, outcome{state: e.state, value: f.get(phi.Edges[slices.Index(phi.Block().Preds, e.from)])})
	}
	return out
}
