// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// get returns what a variable of the program may be, under conditions.
func (f *frame) get(v ssa.Value) []item {
	if known, ok := f.values[v]; ok {
		return known
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return one(f.zero(v.Type()))
		}
		return one(&konst{v.Value})
	case *ssa.Function:
		return one(&closure{fn: v})
	case *ssa.Global:
		return one(&pointer{cell: f.global(v)})
	case *ssa.FreeVar:
		return f.captured(v)
	case ssa.Instruction:
		if f.lazy {
			f.values[v.(ssa.Value)] = nil
			f.instruction(v, nil)
			if alloc, ok := v.(*ssa.Alloc); ok {
				f.initialize(alloc)
			}
			return f.values[v.(ssa.Value)]
		}
	}
	f.fail("%s, which is set outside the function", v.Name())
	return nil
}

// initialize evaluates all that is stored to a variable of a function that does not run.
func (f *frame) initialize(v ssa.Value) {
	all, ok := stores(v)
	whole := slices.DeleteFunc(slices.Clone(all), func(s *ssa.Store) bool { return s.Addr != v })
	if !ok || len(whole) > 1 {
		f.fail("%s, which is set outside the function", v.Name())
	}
	for _, s := range all {
		f.instruction(s, nil)
	}
}

// captured returns a variable of the function around f.
func (f *frame) captured(v *ssa.FreeVar) []item {
	outer := &frame{evaluator: f.evaluator, state: f.state, fn: f.fn.Parent(), values: map[ssa.Value][]item{}, lazy: true}
	for _, b := range f.fn.Parent().Blocks {
		for _, instr := range b.Instrs {
			if c, ok := instr.(*ssa.MakeClosure); ok && c.Fn == f.fn {
				f.values[v] = outer.get(c.Bindings[slices.Index(f.fn.FreeVars, v)])
			}
		}
	}
	return f.values[v]
}

// global returns a variable of a package that is set once.
func (f *frame) global(v *ssa.Global) *cell {
	s := f.prog.source(v.Object().Pkg().Path())
	if s == nil || s.built() == nil || s.assigned[s.types.Scope().Lookup(v.Name())] {
		f.fail("the variable %s", v.RelString(nil))
	}
	v = s.ssa.Var(v.Name())
	c := f.globals[v]
	if c == nil {
		c = &cell{deref(v.Type())}
		f.globals[v] = c
	}
	if f.cells[c] == nil {
		outer := &frame{evaluator: f.evaluator, state: f.state, values: map[ssa.Value][]item{v: one(&pointer{cell: c})}, lazy: true}
		f.cells[c] = one(f.zero(c.typ))
		outer.initialize(v)
	}
	return c
}

// each calls do for each combination of values that is possible here, and returns the results under their conditions.
func (f *frame) each(operands [][]item, do func(vs []value) []item) (out []item) {
	var from func(conds []atom, vs []value)
	from = func(conds []atom, vs []value) {
		if f.step(); len(vs) == len(operands) {
			possible := func(reach []atom) bool { _, ok := both(reach, conds); return ok }
			if !slices.ContainsFunc(f.reach, possible) {
				return
			}
			for _, it := range do(vs) {
				if conds, ok := both(conds, it.conds); ok {
					out = append(out, item{conds, it.value})
				}
			}
			return
		}
		for _, it := range operands[len(vs)] {
			if conds, ok := both(conds, it.conds); ok {
				from(conds, append(vs[:len(vs):len(vs)], it.value))
			}
		}
	}
	if from(nil, nil); len(out) > 1 {
		out = simplified(out)
	}
	return out
}

// instruction evaluates an instruction, in the header of a loop if it is not nil.
func (f *frame) instruction(instr ssa.Instruction, it *iteration) {
	var operands [][]item
	set := func(do func(vs []value) []item, vs ...ssa.Value) {
		for _, v := range vs {
			operands = append(operands, f.get(v))
		}
		f.values[instr.(ssa.Value)] = f.each(operands, do)
	}
	if instr.Pos().IsValid() && !f.lazy {
		f.at = instr.Pos()
	}
	switch x := instr.(type) {
	case *ssa.Phi, *ssa.DebugRef, *ssa.RunDefers:
	case *ssa.Jump:
		f.leave(x.Block(), x.Block().Succs[0], f.reach)
	case *ssa.If:
		if it != nil {
			return
		}
		cond := f.get(x.Cond)
		for i, to := range x.Block().Succs {
			f.leave(x.Block(), to, f.when(f.each([][]item{cond}, func(vs []value) []item { return f.truth(vs[0]) }), i == 0))
		}
	case *ssa.Return:
		var results [][]item
		for _, r := range x.Results {
			results = append(results, f.get(r))
		}
		f.returns = append(f.returns, outcome{state: f.state, value: f.each(results, func(vs []value) []item {
			if len(vs) == 1 {
				return one(vs[0])
			}
			return one(&tuple{vs})
		})})
	case *ssa.Panic: // objects for which the function panics do not count
	case *ssa.Alloc:
		c := &cell{deref(x.Type())}
		f.cells[c] = one(f.zero(c.typ))
		f.values[x] = one(&pointer{cell: c})
	case *ssa.MakeMap, *ssa.MakeSlice:
		c := &cell{x.(ssa.Value).Type()}
		l := &list{}
		if made, ok := x.(*ssa.MakeSlice); ok {
			n := f.get(made.Len)[0].value
			_, isConst := n.(*konst)
			if l.sized = describe(n) != "0"; l.sized && isConst {
				f.fail("a list that is made with a constant length")
			}
			if !l.sized {
				f.values[made] = one(l)
				return
			}
		}
		f.cells[c] = one(l)
		f.values[x.(ssa.Value)] = one(&pointer{cell: c})
	case *ssa.Store:
		f.store(f.get(x.Addr), f.get(x.Val))
	case *ssa.MapUpdate:
		f.grow(f.get(x.Map), f.get(x.Key))
	case *ssa.UnOp:
		set(func(vs []value) []item { return f.unary(x, vs[0]) }, x.X)
	case *ssa.BinOp:
		if it != nil && x.Op == token.LSS {
			if n, ok := f.get(x.Y)[0].value.(*length); ok && f.get(x.X)[0].value == it {
				it.over = n.of
				f.values[x] = one(it)
				return
			}
		}
		set(func(vs []value) []item { return f.binary(x, vs[0], vs[1]) }, x.X, x.Y)
	case *ssa.Field:
		set(func(vs []value) []item { return f.field(vs[0], x.Field) }, x.X)
	case *ssa.FieldAddr:
		set(func(vs []value) []item { return f.fieldAddr(vs[0], x.Field) }, x.X)
	case *ssa.IndexAddr:
		set(func(vs []value) []item { return f.elementAddr(vs[0], vs[1]) }, x.X, x.Index)
	case *ssa.Lookup:
		set(func(vs []value) []item { return f.lookup(vs[0], vs[1], x.CommaOk) }, x.X, x.Index)
	case *ssa.Slice:
		set(func(vs []value) []item {
			if x.Low != nil || x.Max != nil && x.High == nil {
				f.fail("a slice expression")
			}
			if x.High != nil {
				if describe(f.get(x.High)[0].value) != "0" {
					f.fail("a slice expression")
				}
				return one(&list{})
			}
			p, ok := vs[0].(*pointer)
			if !ok {
				return one(vs[0])
			}
			return f.each([][]item{f.load(p)}, func(vs []value) []item { return one(f.list(vs[0])) })
		}, x.X)
	case *ssa.Range:
		f.values[x] = f.each([][]item{flat(f.get(x.X))}, func(vs []value) []item { return one(&iteration{over: vs[0]}) })
	case *ssa.Next:
		over := f.get(x.Iter)
		r, ok := over[0].value.(*iteration)
		if it == nil || len(over) != 1 || !ok || x.IsString {
			f.fail("a loop that is not over a list or map")
		}
		it.over = r.over
		f.values[x] = one(it)
	case *ssa.Extract:
		set(func(vs []value) []item {
			switch t := vs[0].(type) {
			case *iteration:
				return one([]value{t, t.key, t.elem}[x.Index])
			case *tuple:
				return one(t.values[x.Index])
			}
			f.fail("a result of %s", describe(vs[0]))
			return nil
		}, x.Tuple)
	case *ssa.TypeAssert:
		set(func(vs []value) []item {
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
		}, x.X)
	case *ssa.MakeInterface:
		set(func(vs []value) []item { return one(vs[0]) }, x.X)
	case *ssa.ChangeInterface:
		set(func(vs []value) []item { return one(vs[0]) }, x.X)
	case *ssa.ChangeType:
		set(func(vs []value) []item { return one(f.converted(vs[0], x.Type())) }, x.X)
	case *ssa.Convert:
		set(func(vs []value) []item { return one(f.converted(vs[0], x.Type())) }, x.X)
	case *ssa.MultiConvert:
		set(func(vs []value) []item { return one(f.converted(vs[0], x.Type())) }, x.X)
	case *ssa.MakeClosure:
		set(func(vs []value) []item { return one(&closure{x.Fn.(*ssa.Function), vs}) }, x.Bindings...)
	case *ssa.Call:
		f.values[x] = f.call(&x.Call)
	default:
		f.fail("an instruction of kind %T", instr)
	}
}

func truthOf(b bool) *konst { return &konst{constant.MakeBool(b)} }

func truth(v value) bool { return constant.BoolVal(v.(*konst).Value) }

// truth returns whether a condition holds.
func (f *frame) truth(v value) []item {
	switch v := v.(type) {
	case *konst:
		return one(v)
	case *place:
		return assumed(atom{at: v.steps, op: equals, value: "true", typ: v.typ})
	}
	f.fail("a condition on %s", f.describe(v))
	return nil
}

// assumed returns true under a condition, and false under its opposite.
func assumed(a atom) []item {
	return []item{{[]atom{a}, truthOf(true)}, {[]atom{a.negated()}, truthOf(false)}}
}

// negated returns the opposite of conditions.
func negated(items []item) (out []item) {
	for _, it := range items {
		out = append(out, item{it.conds, truthOf(!truth(it.value))})
	}
	return out
}

func (f *frame) describe(v value) string {
	if p, ok := v.(*poisoned); ok {
		return p.name + " depends on an element of a list"
	}
	return describe(v)
}

func (f *frame) unary(x *ssa.UnOp, v value) []item {
	switch x.Op {
	case token.NOT:
		return negated(f.truth(v))
	case token.MUL:
		return f.load(v)
	}
	f.fail("the operator %s", x.Op)
	return nil
}

// load returns what a pointer points to.
func (f *frame) load(v value) []item {
	switch v := v.(type) {
	case *place:
		return one(&place{steps: v.steps, typ: deref(v.typ)})
	case *pointer:
		items := f.cells[v.cell]
		for _, at := range v.path {
			items = f.each([][]item{items}, func(vs []value) []item { return f.field(vs[0], at.(int)) })
		}
		return items
	case *konst, *opaque:
		return nil // it panics
	}
	f.fail("a pointer to %s", f.describe(v))
	return nil
}

// store changes what pointers point to.
func (f *frame) store(to, items []item) {
	p, ok := to[0].value.(*pointer)
	if !ok || len(to) != 1 {
		f.fail("an assignment to %s", f.describe(to[0].value))
	}
	if len(p.path) == 0 {
		f.cells[p.cell] = items
		return
	}
	f.cells[p.cell] = f.each([][]item{f.cells[p.cell], items}, func(vs []value) []item {
		return one(f.updated(vs[0], p.path, vs[1]))
	})
}

// updated returns a value with another one in a part of it.
func (f *frame) updated(v value, path []any, part value) value {
	if len(path) == 0 {
		return part
	}
	i, fixed := path[0].(int)
	if l, ok := v.(*list); ok && !fixed {
		return &list{append(l.items[:len(l.items):len(l.items)], item{value: part}), l.sized}
	}
	if p, ok := v.(*place); ok {
		v = &record{p.typ, nil, p}
	}
	r, ok := v.(*record)
	if !ok || !fixed {
		f.fail("an assignment to a part of %s", f.describe(v))
	}
	out := &record{r.typ, map[int]value{}, r.copied}
	maps.Copy(out.fields, r.fields)
	out.fields[i] = f.updated(f.field(v, i)[0].value, path[1:], part)
	return out
}

// grow adds a key to a map.
func (f *frame) grow(to, keys []item) {
	p, ok := to[0].value.(*pointer)
	if !ok || len(to) != 1 {
		f.fail("an assignment to an element of %s", f.describe(to[0].value))
	}
	l := f.list(p)
	f.cells[p.cell] = one(&list{append(l.items[:len(l.items):len(l.items)], keys...), false})
}

// list returns the elements of a list, or the keys of a map.
func (f *frame) list(v value) *list {
	switch v := v.(type) {
	case *konst:
		return &list{}
	case *list:
		return v
	case *record:
		l := &list{}
		for i := range len(v.fields) {
			l.items = append(l.items, item{value: v.fields[i]})
		}
		return l
	case *pointer:
		if items := f.load(v); len(items) == 1 {
			return f.list(items[0].value)
		}
	case *place:
		f.loops++
		return &list{items: []item{{value: v.to(elemOf(v.typ), step{loop: f.loops})}}}
	}
	f.fail("%s as a list", f.describe(v))
	return nil
}

// field returns a field of a struct.
func (f *frame) field(v value, i int) []item {
	switch v := v.(type) {
	case *place:
		return one(f.fieldOf(v, i))
	case *record:
		if set, ok := v.fields[i]; ok {
			return one(set)
		}
		if v.copied != nil {
			return one(f.fieldOf(v.copied, i))
		}
		switch t := v.typ.Underlying().(type) {
		case *types.Struct:
			return one(f.zero(t.Field(i).Type()))
		case *types.Array:
			return one(f.zero(t.Elem()))
		}
	case *konst, *opaque:
		return nil // it panics
	}
	f.fail("a field of %s", f.describe(v))
	return nil
}

func (f *frame) fieldAddr(v value, i int) []item {
	switch v := v.(type) {
	case *place:
		return one(f.fieldOf(v, i).address())
	case *pointer:
		return one(&pointer{v.cell, append(v.path[:len(v.path):len(v.path)], i)})
	}
	return f.field(v, i)
}

// fieldOf returns a field of a struct in the object.
func (f *frame) fieldOf(p *place, i int) *place {
	if p.typ == nil {
		f.fail("a field of an object whose type is not asserted")
	}
	s := deref(p.typ).Underlying().(*types.Struct)
	json, inline := jsonField(s, i)
	switch {
	case inline:
		return p.to(s.Field(i).Type())
	case json == "":
		f.fail("the field %s, which is not in JSON", s.Field(i).Name())
	}
	f.fields[json] = true
	return p.to(s.Field(i).Type(), step{name: json})
}

// elementAddr returns the address of an element of a list.
func (f *frame) elementAddr(v, index value) []item {
	it, looped := index.(*iteration)
	switch v := v.(type) {
	case *pointer:
		if looped {
			return one(&pointer{v.cell, []any{it}})
		}
		if c, ok := index.(*konst); ok {
			n, _ := constant.Int64Val(c.Value)
			return one(&pointer{v.cell, append(v.path[:len(v.path):len(v.path)], int(n))})
		}
	case *place:
		if over, ok := it.overPlace(); ok && slices.Equal(over.steps, v.steps) {
			return one(it.elem.(*place).address())
		}
	case *list:
		if looped && it.over == v {
			c := &cell{}
			f.cells[c] = one(it.elem)
			return one(&pointer{cell: c})
		}
	}
	f.fail("an element at a fixed position of a list")
	return nil
}

func (it *iteration) overPlace() (*place, bool) {
	if it == nil {
		return nil, false
	}
	p, ok := it.over.(*place)
	return p, ok
}

// lookup returns the value of a map key.
func (f *frame) lookup(v, key value, commaOK bool) []item {
	if isNone(v) {
		f.fail("a key of a nil map")
	}
	p, ok := v.(*place)
	word, isConst := stringOf(key)
	if !ok || !isConst {
		f.fail("a map key that is not constant, of %s", f.describe(v))
	}
	f.word(p, word)
	elem := p.to(elemOf(p.typ), step{name: word, key: true})
	if !commaOK {
		return one(elem)
	}
	has := atom{at: elem.steps, op: hasKey, typ: elem.typ}
	return []item{{[]atom{has}, &tuple{[]value{elem, truthOf(true)}}}, {[]atom{has.negated()}, &tuple{[]value{elem, truthOf(false)}}}}
}
