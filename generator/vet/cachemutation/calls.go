// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

// call follows a call: what it writes, and what its results refer to.
func (f *function) call(instr ssa.CallInstruction) {
	common := instr.Common()
	args := common.Args
	if common.IsInvoke() {
		args = append([]ssa.Value{common.Value}, args...)
	}
	if closure, ok := common.Value.(*ssa.MakeClosure); ok {
		args = append(args[:len(args):len(args)], closure.Bindings...)
	}
	if b, ok := common.Value.(*ssa.Builtin); ok {
		f.builtin(b.Name(), args)
	} else if callee := called(common); callee != nil {
		f.apply(f.summaryOf(common, callee), args, callee)
	} else if fn := common.StaticCallee(); fn != nil {
		f.apply(f.local(fn), args, nil)
	} else {
		f.callback(common)
	}
}

// called returns the function or method that a call names.
func called(common *ssa.CallCommon) *types.Func {
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

// apply applies the summary of a callee to the arguments and the result of a call.
func (f *function) apply(s *summary, args []ssa.Value, callee *types.Func) {
	if s.empty() {
		return
	}
	place := ""
	if callee != nil {
		place = f.place(f.instr.Pos())
	}
	for _, e := range s.Effects {
		if e.From == fromCache {
			steps := e.Way
			if len(steps) == 0 { // of the table
				steps = []step{{nameOf(callee), place}}
			} else if callee != nil && steps[0].Place != place {
				steps = append(steps[:len(steps):len(steps)], step{"returned by " + nameOf(callee), place})
			}
			f.arrive(cached(steps), e, args)
			continue
		}
		if e.If > 0 && e.If <= len(args) {
			if c, ok := args[e.If-1].(*ssa.Const); ok && (c.Value == nil || c.Value.ExactString() != e.Is) {
				continue
			}
		}
		if e.From >= len(args) || strings.Contains(string(e.At), string(untyped)) && isTyped(args[e.From]) {
			continue
		}
		for _, r := range f.contents(args[e.From], e.At) {
			l, ok := r.follow(e.At)
			r.label = l
			switch {
			case !ok, e.To == written && r.in != "":
			case e.To == written && callee != nil:
				f.effect(r.on(step{"passed to " + nameOf(callee), place}).on(e.Way...), written, site{f.instr.Pos(), e.From})
			case e.To == written:
				f.effect(r.on(e.Way...), written, e.site)
			case e.To == result && callee != nil && r.origin.param == fromCache:
				f.arrive(r.on(step{"through " + nameOf(callee), place}), e, args)
			default:
				f.arrive(r, e, args)
			}
		}
	}
}

// isTyped reports whether an argument is known not to be an unstructured object.
func isTyped(arg ssa.Value) bool {
	switch i := arg.(type) {
	case *ssa.ChangeInterface:
		return isTyped(i.X)
	case *ssa.MakeInterface:
		_, name := program.Named(i.X.Type())
		return !strings.HasPrefix(name, "Unstructured")
	}
	return false
}

// arrive adds a reference where an effect says.
func (f *function) arrive(r ref, e effect, args []ssa.Value) {
	r.in = e.In + r.in
	if v, ok := f.instr.(*ssa.Call); ok && e.To == result {
		f.add(v, r)
	} else if e.To >= 0 && e.To < len(args) && r.in != "" {
		f.hold(args[e.To], r)
	}
}

// builtins says how builtin functions write their first argument.
var builtins = map[string]string{
	"append": "overwrites by appending to ", "copy": "copies to ", "delete": "deletes from ", "clear": "clears ",
}

// builtin follows a call of a builtin function. To append is a write if elements follow.
func (f *function) builtin(name string, args []ssa.Value) {
	f.apply(table()["builtin."+name], args, nil)
	if how := builtins[name]; how != "" {
		if s, ok := args[0].(*ssa.Slice); name != "append" || ok && s.High != nil && s.Max == nil {
			f.writes(args[0], how)
		}
	}
}

// callback follows a call of a function value. If the value is a parameter, the callers know the function: the
// arguments flow to it. If the value is an iterator, its argument is a function that gets what it yields.
func (f *function) callback(common *ssa.CallCommon) {
	for _, called := range f.refs[common.Value] {
		for n, arg := range common.Args {
			if strings.HasPrefix(string(called.in), string(yield)) {
				f.hold(arg, called)
			} else if called.in == "" && called.origin.param != fromCache {
				for _, r := range f.refs[arg] {
					r.in = called.at + yield + field(n) + r.in
					f.effect(r, called.origin.param, site{})
				}
			}
		}
	}
}

// deliver passes a label to the parameter of a function that is a value; the path in the label begins with which.
func (f *function) deliver(fn *ssa.Function, made ssa.Instruction, variables []ssa.Value, r ref) {
	first, rest := r.in.cut()
	param, in := rest.number()
	if first == yield && param < len(fn.Params) {
		r.in = in
		f.add(fn.Params[param], r)
		defer func(instr ssa.Instruction) { f.instr = instr }(f.instr)
		f.instr = made // not the call that passes the function
		f.apply(f.local(fn), arguments(fn, variables), nil)
	}
}

// arguments returns the parameters of a function that is a value, and then the variables that it captures.
func arguments(fn *ssa.Function, variables []ssa.Value) (all []ssa.Value) {
	for _, p := range fn.Params {
		all = append(all, p)
	}
	return append(all, variables...)
}
