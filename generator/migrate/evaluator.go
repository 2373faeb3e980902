// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/token"
	"go/types"
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
	reach []item // of which only the conditions count
	cells map[*cell][]item
}

// An outcome is how a block is reached, or how a function ends, and the value of a variable if it comes so.
type outcome struct {
	*state
	from  *ssa.BasicBlock
	value []item
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
	f := &frame{evaluator: e, state: &state{one(none), map[*cell][]item{}}}
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
			terms = append(terms, guarded(guarded(f.list(v).items, []item{it}), o.reach)...)
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

// of returns a type in which type parameters have the arguments of the call.
func (f *frame) of(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok && f.common != nil && f.common.StaticCallee() != nil {
		if args := f.common.StaticCallee().TypeArgs(); p.Index() < len(args) {
			return f.caller.of(args[p.Index()])
		}
	}
	return t
}
