// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package tombstone

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

type checker struct {
	seen   map[*ssa.Parameter]bool
	report func(pos token.Pos, format string, args ...any)
}

// untyped checks a parameter that may be a tombstone, and those of functions that get it.
func (c *checker) untyped(p *ssa.Parameter, handler string) {
	if c.seen[p] {
		return
	}
	c.seen[p] = true
	handled := false
	var ignores []*ssa.TypeAssert
	for _, v := range same(p) {
		for _, use := range *v.Referrers() {
			switch use := use.(type) {
			case *ssa.TypeAssert:
				switch {
				case isTombstone(use.AssertedType) && isPointer(use.AssertedType):
					c.report(use.Pos(), "%s gets cache.DeletedFinalStateUnknown by value: a pointer to it never comes", handler)
					handled = true
				case isTombstone(use.AssertedType):
					handled = true
				case !mayBeTombstone(v, use.Block(), p):
				case !use.CommaOk:
					c.panics(use, handler)
				case c.usesNil(use, p):
					handled = true // reported
				default:
					ignores = append(ignores, use)
				}
			case ssa.CallInstruction:
				handled = c.passed(use, v, p, handler) || handled
			case *ssa.Store, *ssa.Return, *ssa.Send, *ssa.MakeClosure, *ssa.MapUpdate:
				handled = handled || !formatted(use)
			}
		}
	}
	if !handled && len(ignores) > 0 {
		c.report(ignores[0].Pos(), "%s ignores a deletion that the watch missed: its argument is a cache.DeletedFinalStateUnknown then, "+
			"which has the object in Obj; assert that type as well", handler)
	}
}

func (c *checker) panics(assert *ssa.TypeAssert, handler string) {
	if i, ok := assert.AssertedType.Underlying().(*types.Interface); ok && i.NumMethods() == 0 {
		return
	}
	c.report(assert.Pos(), "%s panics if the watch missed the deletion: its argument is a cache.DeletedFinalStateUnknown then, "+
		"which has the object in Obj; assert that type first", handler)
}

// usesNil reports a use of the nil that an assertion yields for a tombstone.
func (c *checker) usesNil(assert *ssa.TypeAssert, p *ssa.Parameter) bool {
	for _, result := range *assert.Referrers() {
		object, ok := result.(*ssa.Extract)
		if !ok || object.Index != 0 {
			continue
		}
		for _, use := range *object.Referrers() {
			if dereferences(use, object) && !excluded(assert.X, use.Block()) && !notNil(object, use.Block()) &&
				mayBeTombstone(assert.X, use.Block(), p) {
				c.report(use.Pos(), "the object is nil if the watch missed the deletion: the argument is a cache.DeletedFinalStateUnknown "+
					"then, which has the object in Obj; look at the result of the assertion first")
				return true
			}
		}
	}
	return false
}

// passed checks a function that gets the parameter. It reports whether that function may handle tombstones.
func (c *checker) passed(call ssa.CallInstruction, v ssa.Value, p *ssa.Parameter, handler string) bool {
	common := call.Common()
	fn := common.StaticCallee()
	i := slices.Index(common.Args, v)
	if fn == nil || i < 0 || len(fn.Blocks) == 0 || i >= len(fn.Params) {
		return true
	}
	if mayBeTombstone(v, call.Block(), p) {
		c.untyped(fn.Params[i], handler)
	}
	return true
}

// formatted reports whether an instruction stores a value to the arguments of a function such as Errorf.
func formatted(instr ssa.Instruction) bool {
	s, ok := instr.(*ssa.Store)
	if !ok {
		return false
	}
	element, ok := s.Addr.(*ssa.IndexAddr)
	return ok && isAlloc(element.X)
}

func isAlloc(v ssa.Value) bool {
	_, ok := v.(*ssa.Alloc)
	return ok
}

// same returns the values that may be the parameter itself.
func same(p *ssa.Parameter) []ssa.Value {
	all := []ssa.Value{p}
	for i := 0; i < len(all); i++ {
		for _, use := range *all[i].Referrers() {
			switch use := use.(type) {
			case *ssa.Phi, *ssa.ChangeInterface:
				if v := use.(ssa.Value); !slices.Contains(all, v) {
					all = append(all, v)
				}
			}
		}
	}
	return all
}

// mayBeTombstone reports whether a value is, in a block, possibly the tombstone that the parameter was.
func mayBeTombstone(v ssa.Value, at *ssa.BasicBlock, p *ssa.Parameter) bool {
	return possibly(v, at, p, map[ssa.Value]bool{})
}

func possibly(v ssa.Value, at *ssa.BasicBlock, p *ssa.Parameter, seen map[ssa.Value]bool) bool {
	if seen[v] || excluded(v, at) {
		return false
	}
	seen[v] = true
	switch v := v.(type) {
	case *ssa.Parameter:
		return v == p
	case *ssa.ChangeInterface:
		return possibly(v.X, at, p, seen)
	case *ssa.Phi:
		for i, edge := range v.Edges {
			pred := v.Block().Preds[i]
			if !excludedByEdge(edge, pred, v.Block()) && possibly(edge, pred, p, seen) {
				return true
			}
		}
	}
	return false
}

// excluded reports whether a branch that leads to a block says that a value is no tombstone.
func excluded(v ssa.Value, at *ssa.BasicBlock) bool {
	return leads(at, func(from, to *ssa.BasicBlock) bool { return excludedByEdge(v, from, to) })
}

// leads reports whether one of the edges that every way to a block takes has a property.
func leads(at *ssa.BasicBlock, property func(from, to *ssa.BasicBlock) bool) bool {
	for b := at; b != nil; b = b.Idom() {
		if len(b.Preds) == 1 && property(b.Preds[0], b) {
			return true
		}
	}
	return false
}

// excludedByEdge reports whether control takes an edge only if a value is no tombstone.
func excludedByEdge(v ssa.Value, from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return false
	}
	okResult, isExtract := branch.Cond.(*ssa.Extract)
	if !isExtract {
		return false
	}
	assert, isAssert := okResult.Tuple.(*ssa.TypeAssert)
	if !isAssert || assert.X != v {
		return false
	}
	// A pointer to a tombstone is reported, and counts as the tombstone that was meant.
	return isTombstone(assert.AssertedType) == (to == from.Succs[1])
}
