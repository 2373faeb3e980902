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

// handlerChecker has the parameters that were checked, with what checkTombstoneParam returned, and the places of reports.
type handlerChecker struct {
	pass              *analysis.Pass
	checkedOrReported map[any]token.Pos
}

func run(pass *analysis.Pass) (any, error) {
	isCache := func(imported *types.Package) bool { return imported.Path() == program.CachePackage }
	if !slices.ContainsFunc(pass.Pkg.Imports(), isCache) {
		return nil, nil
	}
	functions := pass.ResultOf[program.Analyzer].(func() []*ssa.Function)()
	c := &handlerChecker{pass, map[any]token.Pos{}}
	for _, param := range program.Find(functions) {
		if param.Delete {
			c.checkTombstoneParam(param.Func.Params[param.Index], param.What)
		}
	}
	for _, fn := range functions {
		c.walkFunction(fn, nil, "")
	}
	return nil, nil
}

// checkTombstoneParam checks a parameter that may be a tombstone. If the function ignores it, and has results that may tell
// its caller, the assertion is returned. A filter need not let a tombstone pass: its handler may ignore deletions.
func (c *handlerChecker) checkTombstoneParam(p *ssa.Parameter, handler string) (ignores token.Pos) {
	if pos, done := c.checkedOrReported[p]; done {
		return pos
	}
	c.checkedOrReported[p] = token.NoPos
	w := c.walkFunction(p.Parent(), p, handler)
	switch tells := p.Parent().Signature.Results().Len() > 0; {
	case w.isHandledOrReported || !w.failedAssertionPos.IsValid():
	case tells:
		c.checkedOrReported[p] = w.failedAssertionPos
	case handler != "FilterFunc":
		c.report(w.failedAssertionPos, handler+" ignores a deletion that the watch missed: its argument is a "+
			"cache.DeletedFinalStateUnknown then, which has the object in Obj; assert that type as well")
	}
	return c.checkedOrReported[p]
}

func (c *handlerChecker) report(pos token.Pos, message string) {
	if _, done := c.checkedOrReported[pos]; !done {
		c.checkedOrReported[pos] = pos
		program.Report(c.pass, analysis.Diagnostic{Pos: pos, Message: message})
	}
}

// controlWalk follows control through a function after the watch missed a deletion.
type controlWalk struct {
	*handlerChecker
	tombstoneParamOrNil *ssa.Parameter // is a tombstone, unless it is nil
	handlerName         string
	phiKinds            map[*ssa.Phi]valueKinds
	seenBlocks          map[*ssa.BasicBlock]bool
	isHandledOrReported bool      // the tombstone is asserted, passed or kept, or a report was made
	failedAssertionPos  token.Pos // an assertion of another type, which fails
}

// valueKinds is a set of what a value may be.
type valueKinds uint8

const (
	otherKind valueKinds = 1 << iota
	tombstoneKind
	nilKind
)

func (c *handlerChecker) walkFunction(fn *ssa.Function, tombstoneParamOrNil *ssa.Parameter, handler string) *controlWalk {
	w := &controlWalk{
		handlerChecker: c, tombstoneParamOrNil: tombstoneParamOrNil, handlerName: handler,
		phiKinds: map[*ssa.Phi]valueKinds{}, seenBlocks: map[*ssa.BasicBlock]bool{},
	}
	if len(fn.Blocks) > 0 {
		w.enterBlock(nil, fn.Blocks[0])
	}
	return w
}

// enterBlock follows control to a block, unless nothing is new there.
func (w *controlWalk) enterBlock(from, block *ssa.BasicBlock) {
	again := w.seenBlocks[block]
	w.seenBlocks[block] = true
	for _, instr := range block.Instrs {
		if phi, ok := instr.(*ssa.Phi); ok {
			k := w.phiKinds[phi] | w.kindsOf(phi.Edges[slices.Index(block.Preds, from)])
			again = again && k == w.phiKinds[phi]
			w.phiKinds[phi] = k
		}
	}
	if again {
		return
	}
	for _, instr := range block.Instrs {
		if w.checkInstruction(instr) {
			w.isHandledOrReported = true
			return
		}
	}
	yes, no := true, true
	if branch, ok := block.Instrs[len(block.Instrs)-1].(*ssa.If); ok {
		yes, no = w.possibleBranches(branch.Cond)
	}
	for i, next := range block.Succs {
		if i == 0 && yes || i == 1 && no {
			w.enterBlock(block, next)
		}
	}
}

// checkInstruction checks an instruction. It reports whether control ends there.
func (w *controlWalk) checkInstruction(instr ssa.Instruction) bool {
	switch i := instr.(type) {
	case *ssa.Phi, *ssa.ChangeInterface, *ssa.BinOp:
		return false
	case *ssa.Panic:
		return w.failedAssertionPos.IsValid() && w.reportCrash(i.Pos(), "ends the program")
	case *ssa.TypeAssert:
		switch {
		case w.kindsOf(i.X)&tombstoneKind == 0:
		case isTombstone(i.AssertedType):
			w.isHandledOrReported = true
			if _, pointer := types.Unalias(i.AssertedType).(*types.Pointer); pointer {
				w.report(i.Pos(), w.handlerName+" gets cache.DeletedFinalStateUnknown by value: a pointer to it never comes")
			}
		case tombstoneAssertionSucceeds(i):
		case !i.CommaOk:
			return w.reportCrash(i.Pos(), "panics")
		case !w.failedAssertionPos.IsValid():
			w.failedAssertionPos = i.Pos()
		}
		return false
	case *ssa.FieldAddr:
		return w.reportIfNil(i, i.X)
	case *ssa.UnOp:
		return i.Op == token.MUL && w.reportIfNil(i, i.X)
	case *ssa.Store:
		if element, ok := i.Addr.(*ssa.IndexAddr); ok {
			if _, ok := element.X.(*ssa.Alloc); ok {
				return false // an argument of a function such as Errorf
			}
		}
	case ssa.CallInstruction:
		common := i.Common()
		if common.IsInvoke() && w.reportIfNil(i, common.Value) {
			return true
		}
		for n, arg := range common.Args {
			if fn := common.StaticCallee(); w.kindsOf(arg) == tombstoneKind && fn != nil && len(fn.Blocks) > 0 {
				if ignores := w.checkTombstoneParam(fn.Params[n], w.handlerName); ignores.IsValid() {
					w.failedAssertionPos = ignores
					return false
				}
			}
		}
	}
	for _, operand := range instr.Operands(nil) {
		w.isHandledOrReported = w.isHandledOrReported || *operand != nil && w.kindsOf(*operand)&tombstoneKind != 0
	}
	return false
}

// reportCrash reports a place where control ends because of a tombstone.
func (w *controlWalk) reportCrash(pos token.Pos, how string) (ends bool) {
	w.report(pos, w.handlerName+" "+how+" if the watch missed the deletion: its argument is a "+
		"cache.DeletedFinalStateUnknown then, which has the object in Obj; assert that type first")
	return true
}

// reportIfNil reports the use of a value that is nil.
func (w *controlWalk) reportIfNil(instr ssa.Instruction, v ssa.Value) bool {
	if w.kindsOf(v)&nilKind == 0 {
		return false
	}
	message := "the object is nil if the watch missed the deletion: the argument is a " +
		"cache.DeletedFinalStateUnknown then, which has the object in Obj; look at the result of the assertion first"
	if w.tombstoneParamOrNil == nil {
		message = "OptionalObj is nil if the cache did not have the object; compare it with nil first, or use GetObjectName"
	}
	w.report(instr.Pos(), message)
	return true
}

// kindsOf returns what a value may be.
func (w *controlWalk) kindsOf(v ssa.Value) valueKinds {
	switch v := v.(type) {
	case *ssa.Parameter:
		if v == w.tombstoneParamOrNil {
			return tombstoneKind
		}
	case *ssa.ChangeInterface:
		return w.kindsOf(v.X)
	case *ssa.Phi:
		return w.phiKinds[v]
	case *ssa.Extract:
		assert, ok := v.Tuple.(*ssa.TypeAssert)
		if ok && v.Index == 0 && w.kindsOf(assert.X) == tombstoneKind && !tombstoneAssertionSucceeds(assert) {
			return nilKind
		}
	case *ssa.UnOp:
		if addr, ok := v.X.(*ssa.FieldAddr); ok && v.Op == token.MUL {
			switch field := program.FieldOf(addr); field.Pkg().Path() + "." + field.Name() {
			case program.CachePackage + ".OptionalObj":
				return nilKind
			case program.CachePackage + ".FinalStateUnknown":
				return tombstoneKind // a pointer to one
			}
		}
	}
	return otherKind
}

// possibleBranches returns which values a condition may have.
func (w *controlWalk) possibleBranches(cond ssa.Value) (yes, no bool) {
	switch c := cond.(type) {
	case *ssa.Extract:
		if assert, ok := c.Tuple.(*ssa.TypeAssert); ok && w.kindsOf(assert.X) == tombstoneKind {
			return tombstoneAssertionSucceeds(assert), !tombstoneAssertionSucceeds(assert)
		}
	case *ssa.BinOp:
		if y, ok := c.Y.(*ssa.Const); ok && y.IsNil() {
			yes, no = w.kindsOf(c.X)&(nilKind|otherKind) != 0, w.kindsOf(c.X) != nilKind
			if c.Op == token.NEQ {
				yes, no = no, yes
			}
			return yes, no
		}
	}
	return true, true
}

// tombstoneAssertionSucceeds reports whether an assertion of a tombstone succeeds. One of a pointer is reported, and then
// counts as if.
func tombstoneAssertionSucceeds(assert *ssa.TypeAssert) bool {
	i, ok := assert.AssertedType.Underlying().(*types.Interface)
	return ok && i.NumMethods() == 0 || isTombstone(assert.AssertedType)
}

// isTombstone reports whether a type is the tombstone, or a pointer to it.
func isTombstone(t types.Type) bool {
	pkg, name := program.Named(t)
	return pkg == program.CachePackage && name == "DeletedFinalStateUnknown"
}
