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

// An evaluator runs an index function on a symbolic object.
type evaluator struct {
	prog    *program
	root    *place // the object; its type is nil until the function asserts it
	loops   int
	depth   int
	steps   int
	at      token.Pos              // of the instruction that is evaluated
	first   map[int]token.Position // loops that end at their first match
	fields  map[string]bool        // JSON names of the fields that the function reads
	words   map[string][]string    // constants that it compares with, by the field, and keys of maps, by the map
	globals map[*ssa.Global]*pointer
}

const (
	maxDepth = 12    // of calls
	maxSteps = 50000 // instructions, and values under conditions
)

// A state is the conditions under which execution comes to a place, of which one holds, and the contents of variables.
type state struct {
	reach [][]atom
	cells map[*cell][]item
}

// An outcome is how a block is reached, or how a function ends.
type outcome struct {
	*state
	from  *ssa.BasicBlock
	value []item // what the function returns
}

// A frame evaluates one function. Each block is evaluated once, after those that lead to it.
type frame struct {
	*evaluator
	*state
	fn      *ssa.Function
	caller  *frame // if fn is generic
	common  *ssa.CallCommon
	values  map[ssa.Value][]item
	edges   map[*ssa.BasicBlock][]outcome
	returns []outcome
	lazy    bool // instructions are evaluated when they are used, in a function that does not run
}

// notUnderstood is panicked with by the evaluator and recovered by evaluate.
type notUnderstood struct {
	at   token.Position
	what string
}

func (e *evaluator) fail(format string, args ...any) {
	panic(notUnderstood{e.prog.position(e.at), fmt.Sprintf(format, args...)}) //nolint:forbidigo // evaluate recovers it
}

// evaluate returns what an index function returns, as items, or why it is not understood.
func (p *program) evaluate(r *registration) (e *evaluator, terms []item, why *notUnderstood) {
	e = &evaluator{
		prog: p, root: &place{typ: r.object, never: true}, at: r.fn.Pos(), first: map[int]token.Position{},
		fields: map[string]bool{}, words: map[string][]string{}, globals: map[*ssa.Global]*pointer{},
	}
	defer func() {
		switch bad := recover().(type) {
		case nil:
		case notUnderstood:
			why = &bad
		default:
			panic(bad) //nolint:forbidigo // a bug of ours, not of the input
		}
	}()
	f := &frame{evaluator: e, state: &state{[][]atom{nil}, map[*cell][]item{}}}
	c := f.registered(r.in, r.fn)
	args := [][]item{one(e.root)}
	for range len(c.fn.Params) - 1 {
		args = append([][]item{one(&opaque{"the receiver"})}, args...)
	}
	for _, o := range f.run(c, args, nil) {
		f.state = o.state
		for _, it := range o.value {
			v := it.value
			if t, ok := v.(*tuple); ok {
				if !isNone(t.values[1]) {
					continue // caches panic if an index function returns an error
				}
				v = t.values[0]
			}
			terms = append(terms, guarded(guarded(f.list(v).items, [][]atom{it.conds}), o.reach)...)
		}
	}
	if e.root.typ == nil && len(terms) > 0 {
		e.fail("an object whose type is not asserted")
	}
	return e, terms, nil
}

// run evaluates a function in the state of f, and returns its ends.
func (f *frame) run(c *closure, args [][]item, common *ssa.CallCommon) []outcome {
	if f.depth >= maxDepth {
		f.fail("calls deeper than %d", maxDepth)
	}
	f.depth++
	defer func(at token.Pos) { f.depth--; f.at = at }(f.at)
	g := &frame{evaluator: f.evaluator, fn: c.fn, caller: f, common: common, values: map[ssa.Value][]item{}, edges: map[*ssa.BasicBlock][]outcome{}}
	for i, p := range c.fn.Params {
		g.values[p] = args[i]
	}
	for i, v := range c.fn.FreeVars {
		if c.free != nil {
			g.values[v] = one(c.free[i])
		}
	}
	g.edges[c.fn.Blocks[0]] = []outcome{{state: f.state}}
	g.blocks(ordered(c.fn), nil)
	return g.returns
}

// ordered returns the blocks of a function, each after those that lead to it other than by the end of a loop.
func ordered(fn *ssa.Function) (out []*ssa.BasicBlock) {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock)
	visit = func(b *ssa.BasicBlock) {
		seen[b] = true
		for _, s := range b.Succs {
			if !seen[s] {
				visit(s)
			}
		}
		out = append(out, b)
	}
	visit(fn.Blocks[0])
	slices.Reverse(out)
	return out
}

// blocks evaluates blocks in their order. Header begins the loop that they are, or is nil.
func (f *frame) blocks(blocks []*ssa.BasicBlock, header *ssa.BasicBlock) {
	done := map[*ssa.BasicBlock]bool{header: true}
	for _, b := range blocks {
		if done[b] || len(f.edges[b]) == 0 {
			continue
		}
		body := loop(blocks, b)
		for _, in := range body {
			done[in] = true
		}
		f.state = joined(f.edges[b])
		if len(body) > 0 {
			f.loop(b, body)
			continue
		}
		f.phis(b)
		for _, instr := range b.Instrs {
			f.instruction(instr, nil)
		}
	}
}

// loop returns the blocks, in their order, from which execution comes back to b.
func loop(blocks []*ssa.BasicBlock, b *ssa.BasicBlock) (out []*ssa.BasicBlock) {
	in := map[*ssa.BasicBlock]bool{b: true}
	var visit func(p *ssa.BasicBlock)
	visit = func(p *ssa.BasicBlock) {
		if !in[p] {
			in[p] = true
			for _, q := range p.Preds {
				visit(q)
			}
		}
	}
	again := false
	for _, p := range b.Preds {
		if b.Dominates(p) {
			again = true
			visit(p)
		}
	}
	for _, x := range blocks {
		if again && in[x] {
			out = append(out, x)
		}
	}
	return out
}

// leave goes to another block, under conditions.
func (f *frame) leave(from, to *ssa.BasicBlock, reach [][]atom) {
	if len(reach) > 0 {
		f.edges[to] = append(f.edges[to], outcome{state: &state{reach, f.cells}, from: from})
	}
}

// when returns the reach of f with a condition's value.
func (f *frame) when(cond []item, yes bool) [][]atom {
	var out []item
	for _, it := range cond {
		if truth(it.value) == yes {
			out = append(out, item{it.conds, none})
		}
	}
	return reachOf(guarded(out, f.reach))
}

func reachOf(items []item) (out [][]atom) {
	for _, it := range items {
		out = append(out, it.conds)
	}
	return out
}

// joined returns the state in which several edges meet.
func joined(edges []outcome) *state {
	if len(edges) == 1 {
		return &state{edges[0].reach, maps.Clone(edges[0].cells)}
	}
	out := &state{cells: map[*cell][]item{}}
	var reach []item
	for _, e := range edges {
		for _, conds := range e.reach {
			reach = append(reach, item{someMatch(conds), none})
		}
		maps.Copy(out.cells, e.cells)
	}
	out.reach = reachOf(simplified(reach))
	for c := range out.cells {
		var ways []way
		for _, e := range edges {
			if v, ok := e.cells[c]; ok {
				ways = append(ways, way{e.reach, v})
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

// A way is a value that a variable has if execution comes by a way.
type way struct {
	reach [][]atom
	value []item
}

func sameItems(a, b []item) bool {
	return slices.EqualFunc(a, b, sameItem)
}

func sameItem(x, y item) bool {
	return x.value == y.value && slices.EqualFunc(x.conds, y.conds, atom.is)
}

// merged returns the value of a variable where ways meet. What all ways have has no conditions.
func merged(ways []way) []item {
	if !slices.ContainsFunc(ways, func(w way) bool { return !sameItems(w.value, ways[0].value) }) {
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
				conditional = append(conditional, guarded([]item{x}, [][]atom{it.conds})...)
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
func (f *frame) ways(phi *ssa.Phi, edges []outcome) (out []way) {
	for _, e := range edges {
		out = append(out, way{e.reach, f.get(phi.Edges[slices.Index(phi.Block().Preds, e.from)])})
	}
	return out
}

// of returns a type in which type parameters have the arguments of the call.
func (f *frame) of(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok && f.common != nil && f.common.StaticCallee() != nil {
		if args := f.common.StaticCallee().TypeArgs(); p.Index() < len(args) {
			return f.caller.of(args[p.Index()])
		}
	}
	return t
}
