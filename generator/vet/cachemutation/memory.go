// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// possibleStore is an instruction that may change what an address has.
type possibleStore struct {
	address
	block        *ssa.BasicBlock
	instrIndex   int       // in the block
	valueIfKnown ssa.Value // nil if it is not known
}

// address is a place in memory, as far as the text of the function names it.
type address struct {
	root        ssa.Value
	path        path
	lastIndexes [2]any // of the last elements: values, or texts of constants
}

// addressOf returns the place that an address names. Fields of a field are one path.
func addressOf(v ssa.Value) address {
	switch v := v.(type) {
	case *ssa.FieldAddr:
		a := addressOf(v.X)
		a.path += fieldOrResultStep(v.Field)
		return a
	case *ssa.IndexAddr:
		return addressOf(v.X).elementAddress(v.Index)
	case *ssa.UnOp:
		a := addressOf(v.X)
		a.path += derefStep
		return a
	}
	return address{root: v}
}

func (a address) elementAddress(index ssa.Value) address {
	var i any = index
	if c, ok := index.(*ssa.Const); ok {
		i = c.String()
	}
	return address{a.root, a.path + elementStep, [2]any{a.lastIndexes[1], i}}
}

func (f *functionAnalysis) collectPossibleStores(fn *ssa.Function) {
	for _, block := range fn.Blocks {
		for n, instr := range block.Instrs {
			add := func(a address, value ssa.Value) {
				f.stores[a.root] = append(f.stores[a.root], possibleStore{a, block, n, value})
			}
			switch i := instr.(type) {
			case *ssa.Store:
				add(addressOf(i.Addr), i.Val)
			case *ssa.MapUpdate:
				add(addressOf(i.Map).elementAddress(i.Key), i.Value)
			case *ssa.MakeClosure, ssa.CallInstruction:
				for _, operand := range instr.Operands(nil) {
					switch (*operand).(type) {
					case *ssa.Alloc, *ssa.FreeVar:
						add(addressOf(*operand), nil)
					}
				}
			}
		}
	}
}

// followLoad adds what a load finds at an address, one step from a value: the values of stores, and, unless these
// come before it on every way, what the address has, except by other stores. It is at in in the result.
func (f *functionAnalysis) followLoad(i ssa.Value, from ssa.Value, step path, a address, in path) {
	found, incomplete := f.reachingStores(a, f.currentInstr)
	for _, s := range found {
		for _, r := range f.refs[s.valueIfKnown] {
			if l, ok := r.followPath(a.path[len(s.path):]); ok {
				l.valuePath = in + l.valuePath
				f.addLabel(i, reference{l, r.way})
			}
		}
	}
	if !incomplete {
		return
	}
	_, again := a.root.(*ssa.FreeVar) // the literal may be called again
	for _, r := range f.refs[from] {
		has := func(s possibleStore) bool {
			return s.address == a && s.valueIfKnown != nil && slices.ContainsFunc(f.refs[s.valueIfKnown], func(stored reference) bool {
				stored.valuePath = step + stored.valuePath
				return stored.label == r.label
			})
		}
		if l, ok := r.followPath(step); ok && (again || !slices.ContainsFunc(f.stores[a.root], has)) {
			l.valuePath = in + l.valuePath
			f.addLabel(i, reference{l, r.way})
		}
	}
}

// unfollowedArgumentLabels returns the labels of what is at p in an argument. If that is a variable whose address is
// passed, or a field of it, they are those of its last stores alone.
func (f *functionAnalysis) unfollowedArgumentLabels(v ssa.Value, p path) (now []reference) {
	a := addressOf(v)
	_, rest := p.cutStep() // deref
	for first, rest := rest.cutStep(); strings.HasPrefix(string(first), "."); first, rest = rest.cutStep() {
		a.path += first
	}
	stores, incomplete := f.reachingStores(a, f.currentInstr)
	if _, ok := v.(*ssa.Alloc); !ok || incomplete {
		return f.refs[v]
	}
	for _, s := range stores {
		for _, r := range f.refs[s.valueIfKnown] {
			r.valuePath = derefStep + s.path + r.valuePath
			now = append(now, r)
		}
	}
	return now
}

// reachingStores returns the last stores before an instruction that set what an address has. It reports as well whether
// there is a way to the instruction with no such store, or with another that may change it.
func (f *functionAnalysis) reachingStores(a address, at ssa.Instruction) (found []possibleStore, incomplete bool) {
	stores := f.stores[a.root]
	if len(stores) == 0 {
		return nil, true
	}
	seen := map[*ssa.BasicBlock]bool{}
	var back func(b *ssa.BasicBlock, end int)
	back = func(b *ssa.BasicBlock, end int) {
		for _, s := range slices.Backward(stores) {
			sets := s.valueIfKnown != nil && s.pathCovers(a)
			switch {
			case sets && s.lastIndexes == a.lastIndexes && s.block == b && s.instrIndex < end,
				// a loop that sets all elements comes first
				sets && s.lastIndexes != a.lastIndexes && canReach(b, s.block) && canReach(s.block, b) && !canReach(at.Block(), s.block):
				found = append(found, s)
				return
			case s.block == b && s.instrIndex < end && (s.pathCovers(a) || a.pathCovers(s.address)):
				incomplete = true
			}
		}
		if len(b.Preds) == 0 {
			incomplete = true
		}
		for _, pred := range b.Preds {
			if !seen[pred] {
				seen[pred] = true
				back(pred, len(pred.Instrs))
			}
		}
	}
	back(at.Block(), slices.Index(at.Block().Instrs, at))
	return found, incomplete
}

// pathCovers reports whether a place is another, or a struct with that field.
func (a address) pathCovers(b address) bool {
	rest, ok := strings.CutPrefix(string(b.path), string(a.path))
	return ok && !strings.ContainsAny(rest, "*[")
}

// canReach reports whether control can flow from the end of a block to another.
func canReach(from, to *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	var visit func(b *ssa.BasicBlock) bool
	visit = func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Succs, func(next *ssa.BasicBlock) bool {
			again := seen[next]
			seen[next] = true
			return next == to || !again && visit(next)
		})
	}
	return visit(from)
}
