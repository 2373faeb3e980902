// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// followCall follows a call: what it writes, and what its results refer to.
func (f *functionAnalysis) followCall(instr ssa.CallInstruction) {
	common := instr.Common()
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	if closure, ok := common.Value.(*ssa.MakeClosure); ok {
		args = append(args[:len(args):len(args)], closure.Bindings...)
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.followBuiltin(b.Name(), args)
	} else if callee := calleeObject(common); callee != nil {
		f.applySummary(f.summaryOf(common, callee), args, callee)
	} else if fn := common.StaticCallee(); fn != nil {
		f.applySummary(f.localSummary(fn), args, nil)
	} else {
		f.passArgsToFunctionValue(common)
	}
}

// calleeObject returns the function or method that a call names.
func calleeObject(common *ssa.CallCommon) *types.Func {
	if common.IsInvoke() {
		return common.Method.Origin()
	}
	if fn := common.StaticCallee(); fn != nil {
		if object, ok := fn.Object().(*types.Func); ok {
			return object.Origin()
		}
	}
	return nil
}

// applySummary applies the summary of a callee to the arguments and the result of a call.
func (f *functionAnalysis) applySummary(s *summary, args []ssa.Value, callee *types.Func) {
	if s.isEmpty() {
		return
	}
	place := ""
	if callee != nil {
		place = f.positionText(f.currentInstr.Pos())
	}
	for _, e := range s.Effects {
		if e.From == fromCache {
			steps := e.Way
			if len(steps) == 0 { // of the table
				steps = []wayStep{{functionName(callee), place}}
			} else if callee != nil && steps[0].Place != place {
				steps = append(steps[:len(steps):len(steps)], wayStep{"returned by " + functionName(callee), place})
			}
			f.addReferenceByEffect(cacheReference(steps), e, args)
			continue
		}
		if e.If > 0 && e.If <= len(args) {
			if c, ok := args[e.If-1].(*ssa.Const); ok && (c.Value == nil || c.Value.ExactString() != e.Is) {
				continue
			}
		}
		if e.From >= len(args) || strings.Contains(string(e.At), string(unstructuredStep)) && isNeverUnstructured(args[e.From]) {
			continue
		}
		for _, r := range f.unfollowedArgumentLabels(args[e.From], e.At) {
			l, ok := r.followPath(e.At)
			r.label = l
			switch {
			case !ok, e.To == toWrite && r.valuePath != "":
			case e.To == toWrite && callee != nil:
				f.recordFlowOrWrite(r.withSteps(wayStep{"passed to " + functionName(callee), place}).withSteps(e.Way...), toWrite, site{f.currentInstr.Pos(), e.From})
			case e.To == toWrite:
				f.recordFlowOrWrite(r.withSteps(e.Way...), toWrite, e.site)
			case e.To == toResult && callee != nil && r.origin.paramOrCache == fromCache:
				f.addReferenceByEffect(r.withSteps(wayStep{"through " + functionName(callee), place}), e, args)
			default:
				f.addReferenceByEffect(r, e, args)
			}
		}
	}
}

// isNeverUnstructured reports whether an argument is known not to be an unstructured object.
func isNeverUnstructured(arg ssa.Value) bool {
	switch i := arg.(type) {
	case *ssa.ChangeInterface:
		return isNeverUnstructured(i.X)
	case *ssa.MakeInterface:
		_, name := program.Named(i.X.Type())
		return !strings.HasPrefix(name, "Unstructured")
	}
	return false
}

// addReferenceByEffect adds a reference where an effect says.
func (f *functionAnalysis) addReferenceByEffect(r reference, e effect, args []ssa.Value) {
	r.valuePath = e.In + r.valuePath
	if v, ok := f.currentInstr.(*ssa.Call); ok && e.To == toResult {
		f.addLabel(v, r)
	} else if e.To >= 0 && e.To < len(args) && r.valuePath != "" {
		f.addLabelBackward(args[e.To], r)
	}
}

// builtinWrites says how builtin functions write their first argument.
var builtinWrites = map[string]string{
	"append": "overwrites by appending to ", "copy": "copies to ", "delete": "deletes from ", "clear": "clears ",
}

// followBuiltin follows a call of a builtin function. To append is a write if elements follow.
func (f *functionAnalysis) followBuiltin(name string, args []ssa.Value) {
	f.applySummary(table()["builtin."+name], args, nil)
	if how := builtinWrites[name]; how != "" {
		if s, ok := args[0].(*ssa.Slice); name != "append" || ok && s.High != nil && s.Max == nil {
			f.recordWrites(args[0], how)
		}
	}
}

// passArgsToFunctionValue follows a call of a function value. If the value is a parameter, the callers know the function:
// the arguments flow to it. If the value is an iterator, its argument is a function that gets what it yields.
func (f *functionAnalysis) passArgsToFunctionValue(common *ssa.CallCommon) {
	for _, called := range f.refs[common.Value] {
		for n, arg := range common.Args {
			if strings.HasPrefix(string(called.valuePath), string(yieldStep)) {
				f.addLabelBackward(arg, called)
			} else if called.valuePath == "" && called.origin.paramOrCache != fromCache {
				for _, r := range f.refs[arg] {
					r.valuePath = called.originPath + yieldStep + fieldOrResultStep(n) + r.valuePath
					f.recordFlowOrWrite(r, called.origin.paramOrCache, site{})
				}
			}
		}
	}
}

// deliverToFunctionParam passes a label to the parameter of a function that is a value; the path in the label begins with
// which.
func (f *functionAnalysis) deliverToFunctionParam(fn *ssa.Function, made ssa.Instruction, variables []ssa.Value, r reference) {
	first, rest := r.valuePath.cutStep()
	param, in := rest.cutNumber()
	if first == yieldStep && param < len(fn.Params) {
		r.valuePath = in
		f.addLabel(fn.Params[param], r)
		defer func(instr ssa.Instruction) { f.currentInstr = instr }(f.currentInstr)
		f.currentInstr = made // not the call that passes the function
		f.applySummary(f.localSummary(fn), parametersAndCaptures(fn, variables), nil)
	}
}

// parametersAndCaptures returns the parameters of a function that is a value, and then the variables that it captures.
func parametersAndCaptures(fn *ssa.Function, variables []ssa.Value) (all []ssa.Value) {
	for _, p := range fn.Params {
		all = append(all, p)
	}
	return append(all, variables...)
}
