// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// each calls do for each combination of values that is possible here, and returns the results under their conditions.
func (f *frame) each(operands [][]item, do func(vs []value) []item) (out []item) {
	var from func(conds []atom, vs []value)
	from = func(conds []atom, vs []value) {
		if f.steps++; f.steps > maxSteps {
			f.fail("too many combinations of conditions")
		}
		results, last := []item(nil), len(vs) == len(operands)
		if !last {
			results = operands[len(vs)]
		} else if slices.ContainsFunc(f.reach, func(r item) bool { _, ok := both(r.conds, conds); return ok }) {
			results = do(vs)
		}
		for _, it := range results {
			switch conds, ok := both(conds, it.conds); {
			case ok && last:
				out = append(out, item{conds, it.value})
			case ok:
				from(conds, append(vs[:len(vs):len(vs)], it.value))
			}
		}
	}
	from(nil, nil)
	return simplified(out)
}

// instruction evaluates an instruction, in the header of a loop if it is not nil.
func (f *frame) instruction(instr ssa.Instruction, it *iteration) {
	if instr.Pos().IsValid() && !f.lazy {
		f.at = instr.Pos()
	}
	var operands [][]item
	_, isPhi := instr.(*ssa.Phi)
	_, isCall := instr.(*ssa.Call)
	for _, v := range instr.Operands(nil) {
		switch {
		case *v == nil || isPhi:
		case isCall: // of a function that may make text of several values
			operands = append(operands, f.get(*v))
		default:
			operands = append(operands, flat(f.get(*v)))
		}
	}
	switch x := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.RunDefers, *ssa.Panic: // objects for which the function panics do not count
	case *ssa.Jump:
		f.leave(x.Block(), x.Block().Succs[0], f.reach)
	case *ssa.If:
		for i, to := range x.Block().Succs {
			if it == nil {
				f.leave(x.Block(), to, f.when(f.each(operands, func(vs []value) []item { return f.truth(vs[0]) }), i == 0))
			}
		}
	case *ssa.Return:
		value := f.each(operands, func(vs []value) []item {
			if len(vs) == 1 {
				return one(vs[0])
			}
			return one(&tuple{vs})
		})
		f.returns = append(f.returns, outcome{state: f.state, value: flat(value)})
	case *ssa.Store:
		f.store(operands[0], operands[1])
	case *ssa.MapUpdate:
		f.store(operands[0], f.each([][]item{operands[0], operands[1]}, func(vs []value) []item {
			return one(&list{items: append(slices.Clone(f.list(vs[0]).items), item{value: vs[1]})})
		}))
	case *ssa.Call:
		f.values[x] = f.call(&x.Call, operands)
	case ssa.Value:
		f.values[x] = f.each(operands, func(vs []value) []item { return f.result(x, vs, it) })
	default:
		f.fail("an instruction of kind %T", instr)
	}
}

// result returns the result of an instruction.
func (f *frame) result(x ssa.Value, vs []value, it *iteration) []item {
	switch x := x.(type) {
	case *ssa.Alloc:
		return f.variable(f.zero(deref(x.Type())))
	case *ssa.MakeMap:
		return f.variable(&list{})
	case *ssa.MakeSlice:
		if describe(vs[0]) == "0" {
			return one(&list{})
		} else if isConst(vs[0]) {
			f.fail("a list that is made with a constant length")
		}
		return f.variable(&list{sized: true})
	case *ssa.UnOp:
		if x.Op == token.NOT {
			return negated(f.truth(vs[0]))
		} else if x.Op == token.MUL {
			return f.load(vs[0])
		}
		f.fail("the operator %s", x.Op)
	case *ssa.BinOp:
		if n, ok := vs[1].(*length); ok && it != nil && vs[0] == it {
			it.over = n.of
			return one(it)
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
			return one(&list{})
		case len(vs) > 1:
			f.fail("a slice expression")
		case ok:
			return f.each([][]item{f.load(p)}, func(vs []value) []item { return one(f.list(vs[0])) })
		}
		return one(vs[0])
	case *ssa.Range:
		return one(&iteration{over: vs[0]})
	case *ssa.Next:
		r, ok := vs[0].(*iteration)
		if it == nil || !ok || x.IsString {
			f.fail("a loop that is not over a list or map")
		}
		it.over = r.over
		return one(it)
	case *ssa.Extract:
		switch t := vs[0].(type) {
		case *iteration:
			return one([]value{t, t.key, t.elem}[x.Index])
		case *tuple:
			return one(t.values[x.Index])
		}
		f.fail("a result of %s", f.describe(vs[0]))
	case *ssa.TypeAssert:
		v := f.asserted(vs[0], x.AssertedType)
		switch {
		case x.CommaOk && v == nil:
			return one(&tuple{[]value{none, truthOf(false)}})
		case x.CommaOk:
			return one(&tuple{[]value{v, truthOf(true)}})
		case v == nil:
			return nil // it panics
		}
		return one(v)
	case *ssa.MakeInterface, *ssa.ChangeInterface:
		return one(vs[0])
	case *ssa.ChangeType, *ssa.Convert, *ssa.MultiConvert:
		return one(f.converted(vs[0], x.Type()))
	case *ssa.MakeClosure:
		return one(&closure{x.Fn.(*ssa.Function), vs[1:]})
	}
	f.fail("an instruction of kind %T", x)
	return nil
}

// length evaluates comparisons with a constant that ask whether something is empty.
func (f *frame) length(op token.Token, n *length, limit value) []item {
	switch asked := op.String() + " " + f.describe(limit); asked {
	case "== 0", "< 1", "<= 0":
		return f.empty(n.of)
	case "!= 0", "> 0", ">= 1":
		return negated(f.empty(n.of))
	default:
		f.fail("the comparison %s %s", f.describe(n), asked)
	}
	return nil
}

func (f *frame) binary(x *ssa.BinOp, a, b value) []item {
	if _, ok := a.(*length); ok {
		return f.length(x.Op, a.(*length), b)
	}
	if _, ok := b.(*length); ok {
		mirrored := map[token.Token]token.Token{token.LSS: token.GTR, token.GTR: token.LSS, token.EQL: token.EQL, token.NEQ: token.NEQ}
		return f.length(mirrored[x.Op], b.(*length), a)
	}
	switch _, looped := a.(*iteration); {
	case x.Op == token.EQL:
		return f.equal(a, b)
	case x.Op == token.NEQ:
		return negated(f.equal(a, b))
	case x.Op == token.ADD && looped:
		return one(a) // the index of a loop
	case x.Op == token.ADD && isInteger(x.Type()) && isConst(a) && isConst(b):
		return one(&konst{constant.BinaryOp(a.(*konst).Value, token.ADD, b.(*konst).Value)})
	case x.Op == token.ADD:
		return one(f.concat(a, b))
	}
	f.fail("the comparison %s %s %s", f.describe(a), x.Op, f.describe(b))
	return nil
}
