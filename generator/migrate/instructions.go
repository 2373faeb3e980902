// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// instruction evaluates an instruction, in the header of a loop if it is not nil.
func (f *frame) instruction(instr ssa.Instruction, it *iteration) {
	if f.steps++; f.steps > maxSteps {
		f.fail("too many combinations of conditions")
	}
	if instr.Pos().IsValid() && !f.lazy {
		f.at = instr.Pos()
	}
	switch x := instr.(type) {
	case *ssa.RunDefers:
	case *ssa.Store:
		f.store(f.get(x.Addr), f.get(x.Val))
	case *ssa.MapUpdate:
		m := f.get(x.Map)
		f.store(m, &list{append(slices.Clone(f.list(m).items), item{value: f.get(x.Key)})})
	case *ssa.Call:
		f.values[x] = f.called(x)
	case ssa.Value:
		var operands []value
		for _, v := range instr.Operands(nil) {
			if *v != nil {
				operands = append(operands, f.get(*v))
			}
		}
		f.values[x] = f.evaluated(x, operands, it)
	default:
		f.fail("an instruction of kind %T", instr)
	}
}

// evaluated returns the value of an instruction.
func (f *frame) evaluated(x ssa.Value, vs []value, it *iteration) value {
	switch x := x.(type) {
	case *ssa.Alloc:
		return f.variable(f.zero(gotypes.Deref(x.Type())))
	case *ssa.MakeMap:
		return f.variable(&list{})
	case *ssa.MakeSlice:
		if describe(vs[0]) == "0" {
			return &list{}
		} else if isConst(vs[0]) {
			f.fail("a list that is made with a constant length")
		}
		return f.variable(&list{one(&unknown{unset, true})})
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return truthOf(!f.truth(vs[0]))
		} else if x.Op == token.MUL {
			return f.load(vs[0])
		}
		f.fail("the operator %s", x.Op)
	case *ssa.BinOp:
		if n, ok := vs[1].(*length); ok && it != nil && vs[0] == it {
			it.over = n.of
			return it
		}
		return f.binary(x, vs[0], vs[1])
	case *ssa.Field:
		return f.field(vs[0], x.Field)
	case *ssa.FieldAddr:
		return f.fieldAddr(vs[0], x.Field)
	case *ssa.IndexAddr:
		return f.elementAddr(vs[0], vs[1])
	case *ssa.Lookup:
		return f.lookup(vs[0], vs[1], x.CommaOk)
	case *ssa.Slice:
		p, ok := vs[0].(*pointer)
		switch {
		case x.High != nil && x.Low == nil && describe(vs[1]) == "0":
			return &list{}
		case len(vs) > 1:
			f.fail("a slice expression")
		case ok:
			return f.list(p)
		}
		return vs[0]
	case *ssa.Range:
		return &iteration{over: vs[0]}
	case *ssa.Next:
		r, ok := vs[0].(*iteration)
		if it == nil || !ok || x.IsString {
			f.fail("a loop that is not over a list or map")
		}
		it.over = r.over
		return it
	case *ssa.Extract:
		switch t := vs[0].(type) {
		case *iteration:
			_, ofObject := t.over.(*place)
			switch {
			case x.Index == 0:
				return t
			case ofObject == (x.Index == 2):
				return t.elem
			case ofObject:
				return &unknown{"the key of a map", true}
			}
			return &unknown{"a value of a map that the function builds", false}
		case *tuple:
			return t.values[x.Index]
		}
		f.fail("a result of %s", describe(vs[0]))
	case *ssa.TypeAssert:
		v := f.asserted(vs[0], f.of(x.AssertedType))
		switch {
		case x.CommaOk && v == nil:
			return &tuple{[]value{none, truthOf(false)}}
		case x.CommaOk:
			return &tuple{[]value{v, truthOf(true)}}
		case v == nil:
			f.stop()
		}
		return v
	case *ssa.MakeInterface, *ssa.ChangeInterface:
		return vs[0]
	case *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert:
		return f.converted(vs[0], x.Type())
	case *ssa.MakeClosure:
		return &closure{x.Fn.(*ssa.Function), vs[1:]}
	}
	f.fail("an instruction of kind %T", x)
	return nil
}

// length evaluates comparisons with a constant that ask whether something is empty.
func (f *frame) length(op token.Token, n *length, limit value) value {
	switch asked := op.String() + " " + describe(limit); asked {
	case "== 0", "< 1", "<= 0":
		return truthOf(f.empty(n.of))
	case "!= 0", "> 0", ">= 1":
		return truthOf(!f.empty(n.of))
	default:
		f.fail("the comparison %s %s", describe(n), asked)
	}
	return nil
}

func (f *frame) binary(x *ssa.BinOp, a, b value) value {
	if n, ok := a.(*length); ok {
		return f.length(x.Op, n, b)
	}
	if n, ok := b.(*length); ok {
		mirrored := map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.EQL: token.EQL, token.NEQ: token.NEQ}
		return f.length(mirrored[x.Op], n, a)
	}
	switch _, looped := a.(*iteration); {
	case x.Op == token.EQL:
		return truthOf(f.equal(a, b))
	case x.Op == token.NEQ:
		return truthOf(!f.equal(a, b))
	case x.Op == token.ADD && looped && slices.Contains(a.(*iteration).phi.Edges, ssa.Value(x)):
		return a
	case x.Op == token.ADD && isInteger(x.Type()) && isConst(a) && isConst(b):
		return &konst{constant.BinaryOp(a.(*konst).Value, token.ADD, b.(*konst).Value)}
	case x.Op == token.ADD && !isInteger(x.Type()):
		return f.concat(a, b)
	}
	f.fail("the comparison %s %s %s", describe(a), x.Op, describe(b))
	return nil
}

// called evaluates a call.
func (f *frame) called(x *ssa.Call) value {
	var args []value
	for _, v := range x.Call.Args {
		args = append(args, f.get(v))
	}
	if b, ok := x.Call.Value.(*ssa.Builtin); ok {
		return f.builtin(b.Name(), args)
	}
	call := &x.Call
	if fn := call.StaticCallee(); fn != nil {
		if v, ok := f.known(fn, args); ok {
			return v
		}
	}
	to := f.get(call.Value)
	what := describe(to)
	switch to := to.(type) {
	case *closure:
		return f.call(to, args)
	case *konst:
		f.stop()
	case *place:
		if !call.IsInvoke() {
			break
		} else if to.typ == nil {
			f.fail("%s of an object whose type is not asserted", call.Method.Name())
		}
		method, path, _ := types.LookupFieldOrMethod(to.typ, true, call.Method.Pkg(), call.Method.Name())
		if fn := f.prog.function(method); fn != nil {
			receiver := value(to)
			for _, i := range path[:len(path)-1] {
				receiver = f.fieldAddr(receiver, i)
			}
			return f.call(&closure{fn: fn}, append([]value{receiver}, args...))
		}
		what = call.Method.FullName()
	}
	f.fail("a call of %s", what)
	return nil
}

func (f *frame) builtin(name string, args []value) value {
	switch name {
	case "len":
		return &length{args[0]}
	case "append":
		return &list{append(slices.Clone(f.list(args[0]).items), f.list(args[1]).items...)}
	}
	f.fail("a call of %s", name)
	return nil
}

// ignored are packages of functions that do not change which keys there are.
var ignored = []string{"k8s.io/klog/v2", "github.com/go-logr/logr", "log", "log/slog", "sort", "k8s.io/apimachinery/pkg/util/runtime"}

// known evaluates the functions whose meaning is known, and reports whether this is one.
func (f *frame) known(fn *ssa.Function, args []value) (value, bool) {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	obj, _ := fn.Object().(*types.Func)
	if obj == nil || obj.Pkg() == nil {
		return nil, false
	}
	name := obj.FullName()
	switch {
	case name == "fmt.Sprintf":
		return f.format(args), true
	case name == "fmt.Sprint", name == "strconv.Itoa", name == "strconv.FormatBool":
		if l, ok := args[0].(*list); ok {
			if args = f.plain(l); len(args) != 1 {
				f.fail("fmt.Sprint of several values")
			}
		}
		return f.concat(f.printed(args[0])), true
	case name == "strings.Join":
		return f.join(args), true
	case name == "slices.Clone", name == "slices.Compact", name == "slices.Sort":
		return args[0], true
	case name == "fmt.Errorf", name == "errors.New", slices.Contains(ignored, obj.Pkg().Path()):
		return &unknown{"the result of " + name, true}, true
	}
	return nil, false
}
