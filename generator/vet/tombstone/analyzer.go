// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// Analyzer reports handlers of deletions that panic on tombstones, or ignore them.
var Analyzer = &analysis.Analyzer{
	Name:     "tombstone",
	Doc:      "report handlers of deletions that panic on cache.DeletedFinalStateUnknown, or ignore it",
	URL:      "https://github.com/indexer-gen/indexer-gen/blob/main/docs/vet.md",
	Requires: []*analysis.Analyzer{program.Analyzer},
	Run:      run,
}

// checker has the parameters that were checked, with what untyped returned, and the places of reports.
type checker struct {
	pass *analysis.Pass
	done map[any]token.Pos
}

func run(pass *analysis.Pass) (any, error) {
	isCache := func(imported *types.Package) bool { return imported.Path() == program.CachePackage }
	if !slices.ContainsFunc(pass.Pkg.Imports(), isCache) {
		return nil, nil
	}
	functions := pass.ResultOf[program.Analyzer].(func() []*ssa.Function)()
	c := &checker{pass, map[any]token.Pos{}}
	for _, param := range program.Find(functions) {
		if param.Delete {
			c.untyped(param.Func.Params[param.Index], param.What)
		}
	}
	for _, fn := range functions {
		c.walk(fn, nil, "")
	}
	return nil, nil
}

// untyped checks a parameter that may be a tombstone. If the function ignores it, and has results that may tell its
// caller, the assertion is returned. A filter need not let a tombstone pass: its handler may ignore deletions.
func (c *checker) untyped(p *ssa.Parameter, handler string) (ignores token.Pos) {
	if pos, done := c.done[p]; done {
		return pos
	}
	c.done[p] = token.NoPos
	w := c.walk(p.Parent(), p, handler)
	switch tells := p.Parent().Signature.Results().Len() > 0; {
	case w.handled || !w.ignores.IsValid():
	case tells:
		c.done[p] = w.ignores
	case handler != "FilterFunc":
		c.report(w.ignores, handler+" ignores a deletion that the watch missed: its argument is a "+
			"cache.DeletedFinalStateUnknown then, which has the object in Obj; assert that type as well")
	}
	return c.done[p]
}

func (c *checker) report(pos token.Pos, message string) {
	if _, done := c.done[pos]; !done {
		c.done[pos] = pos
		program.Report(c.pass, analysis.Diagnostic{Pos: pos, Message: message})
	}
}

// walk follows control through a function after the watch missed a deletion.
type walk struct {
	*checker
	param   *ssa.Parameter // is a tombstone, unless it is nil
	handler string
	phis    map[*ssa.Phi]kinds
	seen    map[*ssa.BasicBlock]bool
	handled bool      // the tombstone is asserted, passed or kept, or a report was made
	ignores token.Pos // an assertion of another type, which fails
}

// kinds is a set of what a value may be.
type kinds uint8

const (
	other kinds = 1 << iota
	tombstone
	null
)

func (c *checker) walk(fn *ssa.Function, param *ssa.Parameter, handler string) *walk {
	w := &walk{checker: c, param: param, handler: handler, phis: map[*ssa.Phi]kinds{}, seen: map[*ssa.BasicBlock]bool{}}
	if len(fn.Blocks) > 0 {
		w.enter(nil, fn.Blocks[0])
	}
	return w
}

// enter follows control to a block, unless nothing is new there.
func (w *walk) enter(from, block *ssa.BasicBlock) {
	again := w.seen[block]
	w.seen[block] = true
	for _, instr := range block.Instrs {
		if phi, ok := instr.(*ssa.Phi); ok {
			k := w.phis[phi] | w.kind(phi.Edges[slices.Index(block.Preds, from)])
			again = again && k == w.phis[phi]
			w.phis[phi] = k
		}
	}
	if again {
		return
	}
	for _, instr := range block.Instrs {
		if w.panics(instr) {
			w.handled = true
			return
		}
	}
	yes, no := true, true
	if branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If); ok {
		yes, no = w.outcomes(branch.Cond)
	}
	for i, next := range block.Succs {
		if i == 0 && yes || i == 1 && no {
			w.enter(block, next)
		}
	}
}

// panics checks an instruction. It reports whether control ends there.
func (w *walk) panics(instr ssa.Instruction) bool {
	switch i := instr.(type) {
	case *ssa.Phi, *ssa.ChangeInterface, *ssa.BinOp:
		return false
	case *ssa.Panic:
		return w.ignores.IsValid() && w.reportEnd(i.Pos(), "ends the program")
	case *ssa.TypeAssert:
		switch {
		case w.kind(i.X)&tombstone == 0:
		case isTombstone(i.AssertedType):
			w.handled = true
			if _, pointer := types.Unalias(i.AssertedType).(*types.Pointer); pointer {
				w.report(i.Pos(), w.handler+" gets cache.DeletedFinalStateUnknown by value: a pointer to it never comes")
			}
		case succeeds(i):
		case !i.CommaOk:
			return w.reportEnd(i.Pos(), "panics")
		case !w.ignores.IsValid():
			w.ignores = i.Pos()
		}
		return false
	case *ssa.FieldAddr:
		return w.dereferences(i, i.X)
	case *ssa.UnOp:
		return i.Op == token.MUL && w.dereferences(i, i.X)
	case *ssa.Store:
		if element, ok := i.Addr.(*ssa.IndexAddr); ok {
			if _, ok := element.X.(*ssa.Alloc); ok {
				return false // an argument of a function such as Errorf
			}
		}
	case ssa.CallInstruction:
		common := i.Common()
		if common.IsInvoke() && w.dereferences(i, common.Value) {
			return true
		}
		for n, arg := range common.Args {
			if fn := common.StaticCallee(); w.kind(arg) == tombstone && fn != nil && len(fn.Blocks) > 0 {
				if ignores := w.untyped(fn.Params[n], w.handler); ignores.IsValid() {
					w.ignores = ignores
					return false
				}
			}
		}
	}
	for _, operand := range instr.Operands(nil) {
		w.handled = w.handled || *operand != nil && w.kind(*operand)&tombstone != 0
	}
	return false
}

// reportEnd reports a place where control ends because of a tombstone.
func (w *walk) reportEnd(pos token.Pos, how string) (ends bool) {
	w.report(pos, w.handler+" "+how+" if the watch missed the deletion: its argument is a "+
		"cache.DeletedFinalStateUnknown then, which has the object in Obj; assert that type first")
	return true
}

// dereferences reports the use of a value that is nil.
func (w *walk) dereferences(instr ssa.Instruction, v ssa.Value) bool {
	if w.kind(v)&null == 0 {
		return false
	}
	message := "the object is nil if the watch missed the deletion: the argument is a " +
		"cache.DeletedFinalStateUnknown then, which has the object in Obj; look at the result of the assertion first"
	if w.param == nil {
		message = "OptionalObj is nil if the cache did not have the object; compare it with nil first, or use GetObjectName"
	}
	w.report(instr.Pos(), message)
	return true
}

// kind returns what a value may be.
func (w *walk) kind(v ssa.Value) kinds {
	switch v := v.(type) {
	case *ssa.Parameter:
		if v == w.param {
			return tombstone
		}
	case *ssa.ChangeInterface:
		return w.kind(v.X)
	case *ssa.Phi:
		return w.phis[v]
	case *ssa.Extract:
		assert, ok := v.Tuple.(*ssa.TypeAssert)
		if ok && v.Index == 0 && w.kind(assert.X) == tombstone && !succeeds(assert) {
			return null
		}
	case *ssa.UnOp:
		if addr, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			switch field := program.FieldOf(addr); field.Pkg().Path() + "." + field.Name() {
			case program.CachePackage + ".OptionalObj":
				return null
			case program.CachePackage + ".FinalStateUnknown":
				return tombstone // a pointer to one
			}
		}
	}
	return other
}

// outcomes returns which values a condition may have.
func (w *walk) outcomes(cond ssa.Value) (yes, no bool) {
	switch c := cond.(type) {
	case *ssa.Extract:
		if assert, ok := c.Tuple.(*ssa.TypeAssert); ok && w.kind(assert.X) == tombstone {
			return succeeds(assert), !succeeds(assert)
		}
	case *ssa.BinOp:
		if y, ok := c.Y.(*ssa.Const); ok && y.IsNil() {
			yes, no = w.kind(c.X)&(null|other) != 0, w.kind(c.X) != null
			if c.Op == token.NEQ {
				yes, no = no, yes
			}
			return yes, no
		}
	}
	return true, true
}

// succeeds reports whether an assertion of a tombstone succeeds. One of a pointer is reported, and then counts as if.
func succeeds(assert *ssa.TypeAssert) bool {
	i, ok := assert.AssertedType.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0 || isTombstone(assert.AssertedType)
}

// isTombstone reports whether a type is the tombstone, or a pointer to it.
func isTombstone(t types.Type) bool {
	pkg, name := program.Named(t)
	return pkg == program.CachePackage && name == "DeletedFinalStateUnknown"
}
