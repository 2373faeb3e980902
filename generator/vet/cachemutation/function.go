// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// functionAnalysis follows references through one function until nothing new is found. What is stored to memory is
// kept with the value that refers to the memory, so that every later load has it, in whatever order the function
// runs. Loads after stores to the same variable or field are the exception; see reachingStores.
type functionAnalysis struct {
	*packageAnalysis
	currentInstr     ssa.Instruction // that is followed
	params           []ssa.Value     // and then the variables that the function captures
	refs             map[ssa.Value][]reference
	stores           map[ssa.Value][]possibleStore // by the root of the address
	ownSummary       summary
	needsAnotherPass bool
}

// reference is a label of a value, and the way on which it came.
type reference struct {
	label
	way []wayStep
}

// withSteps returns the reference after more steps.
func (r reference) withSteps(steps ...wayStep) reference {
	r.way = append(slices.Clip(r.way), steps...)
	return r
}

// cacheReference returns a reference to an object that comes from a cache on a way.
func cacheReference(way []wayStep) reference {
	return reference{label{origin: origin{fromCache, way[len(way)-1]}}, way}
}

// analyzeFunction returns the summary of a function, with the facts that are known of its callees.
func (a *packageAnalysis) analyzeFunction(fn *ssa.Function) *summary {
	f := &functionAnalysis{packageAnalysis: a, refs: map[ssa.Value][]reference{}, stores: map[ssa.Value][]possibleStore{}}
	f.params = parametersAndCaptures(fn, nil)
	for _, v := range fn.FreeVars {
		f.params = append(f.params, v)
	}
	for i, p := range f.params {
		f.addLabel(p, reference{label: label{origin: origin{paramOrCache: i}}})
	}
	for _, e := range a.handlerInputEffects[fn] {
		r := cacheReference(e.Way)
		r.valuePath = e.In
		f.addLabel(fn.Params[e.To], r)
	}
	f.collectPossibleStores(fn)
	for f.needsAnotherPass = true; f.needsAnotherPass; {
		f.needsAnotherPass = false
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				f.followInstruction(instr)
			}
		}
	}
	return &f.ownSummary
}

const maxLabels = 200 // of a value

// addLabel adds a label to a value. It reports whether the value did not have it.
func (f *functionAnalysis) addLabel(v ssa.Value, r reference) bool {
	same := func(o reference) bool { return o.label == r.label }
	all := f.refs[v]
	if !f.canRefer(v.Type()) || r.valuePath.countSteps() > maxPathSteps || len(all) >= maxLabels || slices.ContainsFunc(all, same) {
		return false
	}
	f.refs[v] = append(all, r)
	f.needsAnotherPass = true
	return true
}

func (f *functionAnalysis) followInstruction(instr ssa.Instruction) {
	f.currentInstr = instr
	switch i := instr.(type) {
	case *ssa.Store:
		f.recordWrites(i.Addr, "writes ")
		f.recordStore(i.Addr, i.Val, derefStep)
	case *ssa.MapUpdate:
		f.recordWrites(i.Map, "writes ")
		f.recordStore(i.Map, i.Value, elementStep)
	case *ssa.Send:
		f.recordStore(i.Chan, i.X, elementStep)
	case *ssa.MakeClosure:
		fn := i.Fn.(*ssa.Function)
		f.applySummary(f.localSummary(fn), parametersAndCaptures(fn, i.Bindings), nil)
	case ssa.CallInstruction:
		f.followCall(i)
	case *ssa.Return:
		for n, v := range i.Results {
			for _, r := range f.refs[v] {
				if len(i.Results) > 1 {
					r.valuePath = fieldOrResultStep(n) + r.valuePath
				}
				f.recordFlowOrWrite(r, toResult, site{})
			}
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			f.followLoad(i, i.X, derefStep, addressOf(i.X), "")
		} else {
			f.deriveLabels(i)
		}
	case *ssa.Lookup:
		f.followLoad(i, i.X, elementStep, addressOf(i.X).elementAddress(i.Index), derivationOf(i).resultPath)
	case ssa.Value:
		f.deriveLabels(i)
	}
}

// derivation says how a value is found in another.
type derivation struct {
	sources    []ssa.Value
	sourcePath path // to the value
	isAddress  bool // the value is the address of what is there
	resultPath path // where the result of the instruction has it
}

func derivationOf(v ssa.Value) (d derivation) {
	if _, several := v.Type().(*types.Tuple); several { // and whether there is such a value
		d.resultPath = fieldOrResultStep(0)
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for n, edge := range v.Edges {
			if x, c := edgeEquality(v.Block().Preds[n], v.Block()); x != edge || c == nil || !c.IsNil() {
				d.sources = append(d.sources, edge)
			}
		}
		return d
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Convert, *ssa.MultiConvert,
		*ssa.Range:
	case *ssa.FieldAddr:
		d.sourcePath, d.isAddress = derefStep+fieldOrResultStep(v.Field), true
	case *ssa.IndexAddr:
		d.sourcePath, d.isAddress = elementHolderPath(v.X)+elementStep, true
	case *ssa.Slice:
		d.sourcePath = elementHolderPath(v.X)
	case *ssa.Field:
		d.sourcePath = fieldOrResultStep(v.Field)
	case *ssa.Extract:
		d.sourcePath = fieldOrResultStep(v.Index)
	case *ssa.Index, *ssa.Lookup:
		d.sourcePath = elementStep
	case *ssa.Next:
		d.sourcePath, d.resultPath = elementStep, fieldOrResultStep(2)
	case *ssa.UnOp:
		d.sourcePath = elementStep // of a channel
		if v.Op == token.MUL {
			d.sourcePath = derefStep
		}
	default:
		return d
	}
	d.sources = []ssa.Value{*v.(ssa.Instruction).Operands(nil)[0]}
	return d
}

// elementHolderPath returns the path from a slice, or from a pointer to an array, to what has the elements.
func elementHolderPath(v ssa.Value) path {
	if _, ok := v.Type().Underlying().(*types.Slice); ok {
		return ""
	}
	return derefStep
}

// deriveLabels adds to a value the labels of those in which it is found. What a store had is no object of a cache if
// it has another type than a metav1.Object.
func (f *functionAnalysis) deriveLabels(v ssa.Value) {
	assert, asserts := v.(*ssa.TypeAssert)
	asserts = asserts && !types.IsInterface(assert.AssertedType) && !isObject(assert.AssertedType)
	d := derivationOf(v)
	for _, from := range d.sources {
		for _, r := range f.refs[from] {
			if asserts && r.valuePath == "" && r.originPath == "" && r.origin.paramOrCache == fromCache {
				continue
			}
			l, ok := r.followPath(d.sourcePath)
			if d.isAddress {
				l, ok = r.addressLabel(d.sourcePath)
			}
			if ok && isEmptiedSlice(v) && strings.HasPrefix(string(l.valuePath), string(elementStep)) {
				continue
			}
			if l.valuePath = d.resultPath + l.valuePath; ok {
				f.addLabel(v, reference{l, r.way})
			}
		}
	}
}

// isEmptiedSlice reports whether a value is a slice without elements, all[:0]. It refers to the array of all, but
// holds none of its elements.
func isEmptiedSlice(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	high, ok := s.High.(*ssa.Const)
	return ok && high.Int64() == 0
}

// recordStore records that memory to which v refers has a value, at p from v.
func (f *functionAnalysis) recordStore(v, value ssa.Value, p path) {
	for _, r := range f.refs[value] {
		r.valuePath = p + r.valuePath
		f.addLabelBackward(v, r)
	}
}

// addLabelBackward adds a label to a value that refers to memory, and to the values in which that reference is found.
func (f *functionAnalysis) addLabelBackward(v ssa.Value, r reference) {
	if !f.addLabel(v, r) {
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		if i := slices.Index(f.params, v); i >= 0 {
			f.recordFlowOrWrite(r, i, site{})
		}
	case *ssa.MakeClosure:
		f.deliverToFunctionParam(v.Fn.(*ssa.Function), v, v.Bindings, r)
	case *ssa.Function:
		f.deliverToFunctionParam(v, nil, nil, r)
	case *ssa.Alloc: // what the variable refers to has it
		for _, s := range f.stores[v] {
			if s.path == "" && s.valueIfKnown != nil && len(r.valuePath) > 1 {
				r := r
				r.valuePath = r.valuePath[1:]
				f.addLabelBackward(s.valueIfKnown, r)
			}
		}
	}
	d := derivationOf(v)
	rest := strings.TrimPrefix(string(r.valuePath), string(d.resultPath))
	if d.isAddress {
		rest = strings.TrimPrefix(rest, string(derefStep))
	}
	r.valuePath = d.sourcePath + path(rest)
	for _, from := range d.sources {
		f.addLabelBackward(from, r)
	}
}

// recordFlowOrWrite records that the result, or memory of a parameter, has what a label says, or that this is written. A
// write to memory of a cache is reported.
func (f *functionAnalysis) recordFlowOrWrite(r reference, to int, at site) {
	e := effect{From: r.origin.paramOrCache, At: r.originPath, To: to, In: r.valuePath, Way: r.way, site: at}
	if r, ok := f.currentInstr.(*ssa.Return); ok && len(r.Block().Preds) == 1 {
		if v, c := edgeEquality(r.Block().Preds[0], r.Block()); c != nil && c.Value != nil {
			e.If, e.Is = slices.Index(f.params, v)+1, c.Value.ExactString()
		}
	}
	if e.From == fromCache {
		e.At = ""
	}
	if old, ok := f.shortestReports[at.pos]; e.From == fromCache && to == toWrite {
		if !ok || len(r.way) < len(old.Way) {
			f.shortestReports[at.pos] = e
		}
	} else if to != e.From || to == fromCache {
		f.needsAnotherPass = f.ownSummary.addEffect(e) || f.needsAnotherPass
	}
}

// recordWrites reports or records a write through those of the labels of a value that refer to memory themselves.
func (f *functionAnalysis) recordWrites(v ssa.Value, how string) {
	pos := f.currentInstr.Pos()
	for _, r := range f.refs[v] {
		if r.valuePath == "" {
			f.recordFlowOrWrite(r.withSteps(wayStep{how + types.ExprString(f.writtenOrCallExpr(pos)), f.positionText(pos)}), toWrite, site{pos, -1})
		}
	}
}

// edgeEquality returns the value that equals a constant if control takes an edge, and the constant.
func edgeEquality(from, to *ssa.BasicBlock) (ssa.Value, *ssa.Const) {
	if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && (cond.Op == token.EQL && to == from.Succs[0] || cond.Op == token.NEQ && to == from.Succs[1]) {
			c, _ := cond.Y.(*ssa.Const)
			return cond.X, c
		}
	}
	return nil, nil
}
