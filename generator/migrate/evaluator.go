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
	prog       *program
	root       *place     // the object; its type is nil until the function asserts it
	other      types.Type // a type that the function asserts and the object does not have
	namespaced bool       // the function asks whether the object has a namespace
	depth      int
	steps      int
	at         token.Pos           // of the instruction that is evaluated
	run                            // that is under way
	loops      map[string]int      // numbers of loops, by where they are
	first      map[int]*list       // the elements that end a loop, by its number
	fields     map[string]bool     // JSON names of the fields that the function reads
	words      map[string][]string // constants that it compares with, by the field, and keys of maps, by the map
	globals    map[*ssa.Global]*pointer
}

const (
	maxDepth = 12     // of calls
	maxSteps = 300000 // instructions of all runs
)

// A frame evaluates one function.
type frame struct {
	*evaluator
	types  []types.Type // arguments of a generic function
	values map[ssa.Value]value
	result value
	site   string // the calls on the way to it
	lazy   bool   // instructions are evaluated when they are used, in a function that does not run
}

// notUnderstood is panicked with by the evaluator and recovered by evaluate.
type notUnderstood struct {
	at   Position
	what string
}

func (e *evaluator) fail(format string, args ...any) {
	panic(notUnderstood{e.prog.position(e.at), fmt.Sprintf(format, args...)}) //nolint:forbidigo // evaluate recovers it
}

// evaluate returns the keys that an index function returns, or why it is not understood.
func (p *program) evaluate(r *registration) (e *evaluator, keys []item, why *notUnderstood) {
	e = &evaluator{
		prog: p, root: &place{typ: r.object, never: true}, at: r.at, run: run{cells: map[*cell]value{}},
		loops: map[string]int{}, first: map[int]*list{},
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
	f := (&frame{evaluator: e}).outside()
	fn := f.get(r.fn)
	c, ok := fn.(*closure)
	if !ok {
		f.fail("%s, which is set outside the function", describe(fn))
	}
	result := &cell{}
	e.explore(func() {
		v := f.call(c, []value{e.root})
		if t, ok := v.(*tuple); ok {
			if v = t.values[0]; !isNone(t.values[1]) {
				e.stop() // caches panic if an index function returns an error
			}
		}
		e.cells[result] = f.list(v)
	})
	keys = elements(e.cells[result])
	if e.root.typ == nil && len(keys) > 0 {
		e.fail("an object whose type is not asserted")
	}
	return e, keys, nil
}

// call evaluates a function of the program.
func (f *frame) call(c *closure, args []value) value {
	if f.depth >= maxDepth {
		f.fail("calls deeper than %d", maxDepth)
	}
	fn := c.fn
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if len(fn.Blocks) == 0 {
		fn = f.prog.function(fn.Object())
	}
	if fn == nil || len(fn.Blocks) == 0 {
		f.fail("a call of %s", c.fn.RelString(nil))
	}
	f.depth++
	defer func(at token.Pos) { f.depth--; f.at = at }(f.at)
	g := &frame{evaluator: f.evaluator, values: map[ssa.Value]value{}, site: fmt.Sprint(f.site, f.at, " ")}
	for _, t := range c.fn.TypeArgs() {
		g.types = append(g.types, f.of(t))
	}
	for i, p := range fn.Params {
		g.values[p] = args[i]
	}
	for i, v := range fn.FreeVars {
		if c.free != nil {
			g.values[v] = c.free[i]
		}
	}
	g.blocks(fn.Blocks[0], nil, func(*ssa.BasicBlock) bool { return false })
	return g.result
}

// blocks evaluates blocks, beginning with b, to which execution comes from another block, or nil at the beginning of a
// function. It returns the first block that it does not evaluate and the block before it, or nil if the function returns.
func (f *frame) blocks(b, from *ssa.BasicBlock, until func(*ssa.BasicBlock) bool) (to, last *ssa.BasicBlock) {
	for b != nil && !until(b) {
		if body := loop(b); body != nil {
			b, from = f.loop(b, from, body)
			continue
		}
		f.phis(b, from)
		b, from = f.block(b), b
	}
	return b, from
}

// block evaluates a block, and returns the one that follows.
func (f *frame) block(b *ssa.BasicBlock) *ssa.BasicBlock {
	for _, instr := range b.Instrs {
		switch x := instr.(type) {
		case *ssa.Phi:
			continue
		case *ssa.Jump:
			return b.Succs[0]
		case *ssa.If:
			if f.truth(f.get(x.Cond)) {
				return b.Succs[0]
			}
			return b.Succs[1]
		case *ssa.Return:
			f.returns(x)
			return nil
		case *ssa.Panic:
			f.stop()
		}
		f.instruction(instr, nil)
	}
	return nil
}

// phis evaluates the variables that differ with the way to a block.
func (f *frame) phis(b, from *ssa.BasicBlock) {
	values := map[ssa.Value]value{}
	for _, instr := range b.Instrs {
		if phi, ok := instr.(*ssa.Phi); ok {
			values[phi] = f.way(phi, from)
		}
	}
	maps.Copy(f.values, values)
}

// way returns the value of a phi that comes from a block.
func (f *frame) way(phi *ssa.Phi, from *ssa.BasicBlock) value {
	return f.get(phi.Edges[slices.Index(phi.Block().Preds, from)])
}

func (f *frame) returns(x *ssa.Return) {
	var values []value
	for _, v := range x.Results {
		values = append(values, f.get(v))
	}
	if f.result = (&tuple{values}); len(values) == 1 {
		f.result = values[0]
	}
}

// of returns a type in which type parameters have the arguments of the call.
func (f *frame) of(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok && p.Index() < len(f.types) {
		return f.types[p.Index()]
	}
	return t
}
