// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
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
	case *ssa.Builtin:
		return nil
	case *ssa.Global:
		return f.global(v)
	case *ssa.FreeVar: // of a function that is called later
		outer := f.outside(f.fn.Parent())
		for _, r := range *f.fn.Referrers() {
			if c, ok := r.(*ssa.MakeClosure); ok {
				f.values[v] = outer.get(c.Bindings[slices.Index(f.fn.FreeVars, v)])
				return f.values[v]
			}
		}
	case ssa.Instruction:
		if f.lazy {
			f.instruction(v, nil)
			if alloc, ok := v.(*ssa.Alloc); ok {
				f.initialize(alloc, *alloc.Referrers())
			}
			return f.values[v.(ssa.Value)]
		}
	}
	f.fail("%s, which is set outside the function", v.Name())
	return nil
}

// outside returns a frame for variables of a function that does not run.
func (f *frame) outside(fn *ssa.Function) *frame {
	return &frame{evaluator: f.evaluator, state: f.state, fn: fn, values: map[ssa.Value][]item{}, lazy: true}
}

// initialize evaluates what is stored to a variable of a function that does not run, which must be stored once.
func (f *frame) initialize(v ssa.Value, referrers []ssa.Instruction) {
	stores := 0
	for _, r := range referrers {
		switch r := r.(type) {
		case *ssa.Store:
			if r.Addr == v {
				stores++
				f.instruction(r, nil)
			}
		case *ssa.FieldAddr:
			if r.X == v {
				f.initialize(r, *r.Referrers())
			}
		case *ssa.IndexAddr:
			if r.X == v {
				f.initialize(r, *r.Referrers())
			}
		case *ssa.MakeClosure:
			i := slices.Index(r.Bindings, v)
			if i >= 0 && slices.ContainsFunc(*r.Fn.(*ssa.Function).FreeVars[i].Referrers(), func(r ssa.Instruction) bool {
				_, reads := r.(*ssa.UnOp)
				return !reads
			}) {
				stores += 2
			}
		}
	}
	if stores > 1 {
		f.fail("%s, which is set outside the function", v.Name())
	}
}

// global returns the address of a variable of a package that is set once.
func (f *frame) global(v *ssa.Global) []item {
	s := f.prog.source(v.Object().Pkg().Path())
	if s == nil || s.built() == nil || s.assigned[s.types.Scope().Lookup(v.Name())] {
		f.fail("the variable %s", v.RelString(nil))
	}
	v = s.ssa.Var(v.Name())
	if f.globals[v] == nil {
		f.globals[v] = &pointer{cell: &cell{}}
	}
	address := f.globals[v]
	if f.cells[address.cell] == nil {
		f.cells[address.cell] = one(f.zero(deref(v.Type())))
		outer := f.outside(s.ssa.Func("init"))
		outer.values[v] = one(address)
		for _, b := range outer.fn.Blocks {
			outer.initialize(v, b.Instrs)
		}
	}
	return one(address)
}

// variable returns the address of a new variable.
func (f *frame) variable(v value) []item {
	c := &cell{}
	f.cells[c] = one(v)
	return one(&pointer{cell: c})
}

// load returns what a pointer points to.
func (f *frame) load(v value) []item {
	switch v := v.(type) {
	case *place:
		return one(&place{steps: v.steps, typ: deref(v.typ), parent: v.parent})
	case *pointer:
		items := f.cells[v.cell]
		for _, i := range v.path {
			items = f.each([][]item{items}, func(vs []value) []item { return f.field(vs[0], i) })
		}
		return items
	case *konst, *opaque:
		return nil // it panics
	}
	f.fail("a pointer to %s", f.describe(v))
	return nil
}

// store changes what a pointer points to.
func (f *frame) store(to, items []item) {
	p, ok := to[0].value.(*pointer)
	if !ok || len(to) != 1 {
		f.fail("an assignment to %s", f.describe(to[0].value))
	}
	if len(p.path) > 0 || p.each {
		items = f.each([][]item{f.cells[p.cell], items}, func(vs []value) []item {
			if p.each {
				return one(&list{append(slices.Clone(f.list(vs[0]).items), item{value: vs[1]}), true})
			}
			return one(f.updated(vs[0], p.path, vs[1]))
		})
	}
	f.cells[p.cell] = flat(items)
}

// updated returns a value with another one in a part of it.
func (f *frame) updated(v value, path []int, part value) value {
	if len(path) == 0 {
		return part
	}
	if p, ok := v.(*place); ok {
		v = &record{p.typ, nil, p}
	}
	r, ok := v.(*record)
	if !ok {
		f.fail("an assignment to a part of %s", f.describe(v))
	}
	out := &record{r.typ, map[int]value{}, r.copied}
	maps.Copy(out.fields, r.fields)
	out.fields[path[0]] = f.updated(f.field(v, path[0])[0].value, path[1:], part)
	return out
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
		return &list{items: one(v.to(elemOf(v.typ), step{loop: f.loops}))}
	}
	f.fail("%s as a list", f.describe(v))
	return nil
}

// field returns a field of a struct, or an element of an array.
func (f *frame) field(v value, i int) []item {
	switch v := v.(type) {
	case *place:
		return one(f.fieldOf(v, i))
	case *record:
		set, ok := v.fields[i]
		switch t := v.typ.Underlying().(type) {
		case *types.Struct:
			if v.copied != nil && !ok {
				return one(f.fieldOf(v.copied, i))
			} else if !ok {
				set = f.zero(t.Field(i).Type())
			}
		case *types.Array:
			if !ok {
				set = f.zero(t.Elem())
			}
		}
		return one(set)
	case *konst, *opaque:
		return nil // it panics
	}
	f.fail("a field of %s", f.describe(v))
	return nil
}

func (f *frame) fieldAddr(v value, i int) []item {
	switch v := v.(type) {
	case *place:
		p := f.fieldOf(v, i)
		return one(&place{p.steps, types.NewPointer(p.typ), true, p.parent})
	case *pointer:
		return one(&pointer{v.cell, append(slices.Clone(v.path), i), false})
	}
	return f.field(v, i)
}

// elementAddr returns the address of an element of a list.
func (f *frame) elementAddr(v, index value) []item {
	if it, ok := index.(*iteration); ok {
		over, isPlace := it.over.(*place)
		of, ok := v.(*place)
		p, isPointer := v.(*pointer)
		switch {
		case ok && isPlace && slices.Equal(over.steps, of.steps):
			p := it.elem.(*place)
			return one(&place{p.steps, types.NewPointer(p.typ), true, p.parent})
		case it.over == v:
			return f.variable(it.elem)
		case isPointer:
			return one(&pointer{cell: p.cell, each: true})
		}
	} else if c, ok := index.(*konst); ok && isPointerTo(v) {
		n, _ := constant.Int64Val(c.Value)
		return f.fieldAddr(v, int(n))
	}
	f.fail("an element at a fixed position of a list")
	return nil
}

func isPointerTo(v value) bool { _, ok := v.(*pointer); return ok }

// lookup returns the value of a map key.
func (f *frame) lookup(v, key value, commaOK bool) []item {
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
	has := assumed(atom{at: elem.steps, op: hasKey, typ: elem.typ})
	for i := range has {
		has[i].value = &tuple{[]value{elem, has[i].value}}
	}
	return has
}
