// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// get returns the value of a variable of the program.
func (f *frame) get(v ssa.Value) value {
	if known, ok := f.values[v]; ok {
		return known
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value == nil {
			return f.zero(v.Type())
		}
		return &konst{v.Value}
	case *ssa.Function:
		return &closure{fn: v}
	case *ssa.Global:
		return f.global(v)
	case *ssa.Parameter:
		return &unknown{v.Name() + ", which is set outside the function", false}
	case *ssa.Phi:
		f.fail("a variable that is set at several places outside the function")
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
func (f *frame) outside() *frame {
	return &frame{evaluator: f.evaluator, values: map[ssa.Value]value{}, lazy: true}
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
		case *ssa.FieldAddr, *ssa.IndexAddr:
			if part := r.(ssa.Value); *r.Operands(nil)[0] == v {
				f.initialize(part, *part.Referrers())
			}
		}
	}
	if stores > 1 || len(assigned(v)) > 1 {
		f.fail("%s, which is set outside the function", v.Name())
	}
}

// global returns the address of a variable of a package that is set once.
func (f *frame) global(v *ssa.Global) value {
	s := f.prog.source(v.Object().Pkg().Path())
	if s != nil && s.built() != nil {
		v = s.ssa.Var(v.Name())
	}
	if f.globals[v] == nil {
		if s == nil || s.ssa == nil || !f.prog.constant(v) {
			f.fail("the variable %s", v.RelString(nil))
		}
		f.globals[v] = &pointer{cell: &cell{}}
	}
	address := f.globals[v]
	if f.cells[address.cell] == nil {
		f.cells[address.cell] = f.zero(gotypes.Deref(v.Type()))
		outer := f.outside()
		outer.values[v] = address
		for _, b := range s.ssa.Func("init").Blocks {
			outer.initialize(v, b.Instrs)
		}
	}
	return address
}

// variable returns the address of a new variable.
func (f *frame) variable(v value) value {
	c := &cell{}
	f.cells[c] = v
	return &pointer{cell: c}
}

// load returns what a pointer points to.
func (f *frame) load(v value) value {
	switch v := v.(type) {
	case *place:
		f.dereferenced(v)
		return &place{steps: v.steps, typ: gotypes.Deref(v.typ), parent: v.parent}
	case *pointer:
		out := f.cells[v.cell]
		for _, i := range v.path {
			out = f.field(out, i)
		}
		return out
	}
	return f.inside(v)
}

// dereferenced ends the run if a pointer is nil.
func (f *frame) dereferenced(p *place) {
	if !p.never && p.typ != nil && isPointer(p.typ) {
		f.assume([]atom{{at: p.steps, op: isNil, typ: p.typ, not: true}})
	}
}

// store changes what a pointer points to.
func (f *frame) store(to, v value) {
	p, ok := to.(*pointer)
	switch {
	case !ok:
		f.fail("an assignment to %s", describe(to))
	case p.each:
		others := slices.DeleteFunc(slices.Clone(f.list(f.cells[p.cell]).items), func(it item) bool { return !grows(it) })
		v = &list{append(others, item{value: v})}
	case len(p.path) > 0:
		v = f.updated(f.cells[p.cell], p.path, v)
	}
	f.cells[p.cell] = v
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
		f.fail("an assignment to a part of %s", describe(v))
	}
	out := &record{r.typ, map[int]value{}, r.copied}
	maps.Copy(out.fields, r.fields)
	out.fields[path[0]] = f.updated(f.field(v, path[0]), path[1:], part)
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
		l, array := &list{}, v.typ.Underlying().(*types.Array)
		for i := range int(array.Len()) {
			l.items = append(l.items, item{value: f.field(v, i)})
		}
		return l
	case *pointer:
		return f.list(f.load(v))
	case *place:
		return &list{one(v.to(elemOf(v.typ), step{loop: f.number(identity(v))}))}
	}
	f.fail("a list made of %s", describe(v))
	return nil
}

// field returns a field of a struct, or an element of an array.
func (f *frame) field(v value, i int) value {
	switch v := v.(type) {
	case *place:
		return f.fieldOf(v, i)
	case *record:
		if set, ok := v.fields[i]; ok {
			return set
		} else if v.copied != nil {
			return f.fieldOf(v.copied, i)
		} else if t, ok := v.typ.Underlying().(*types.Struct); ok {
			return f.zero(t.Field(i).Type())
		}
		return f.zero(elemOf(v.typ))
	}
	return f.inside(v)
}

// inside returns a field of an unknown value. It ends the run if the value is nil.
func (f *frame) inside(v value) value {
	switch v := v.(type) {
	case *konst:
		f.stop()
	case *unknown:
		return &unknown{"a field of " + v.what, false}
	}
	f.fail("a field of %s", describe(v))
	return nil
}

func (f *frame) fieldAddr(v value, i int) value {
	switch v := v.(type) {
	case *place:
		f.dereferenced(v)
		p := f.fieldOf(v, i)
		return &place{p.steps, types.NewPointer(p.typ), true, p.parent}
	case *pointer:
		return &pointer{v.cell, append(slices.Clone(v.path), i), false}
	}
	return f.field(v, i)
}

// elementAddr returns the address of an element of a list.
func (f *frame) elementAddr(v, index value) value {
	built, isBuilt := v.(*pointer)
	switch i := index.(type) {
	case *iteration:
		elem, ok := i.elem.(*place)
		switch {
		case same(i.over, v) && ok:
			return &place{elem.steps, types.NewPointer(elem.typ), true, elem.parent}
		case same(i.over, v):
			return f.variable(i.elem)
		case isBuilt:
			return &pointer{cell: built.cell, each: true}
		}
	case *konst:
		if n, exact := constant.Int64Val(i.Value); isBuilt && exact {
			return f.fieldAddr(v, int(n))
		}
	}
	f.fail("an element at a fixed position of a list")
	return nil
}

// lookup returns the value of a map key.
func (f *frame) lookup(v, key value, commaOK bool) value {
	p, ok := v.(*place)
	word, isConst := stringOf(key)
	if !ok || !isConst {
		f.fail("a map key that is not constant, of %s", describe(v))
	}
	f.word(p, word)
	elem := p.to(elemOf(p.typ), step{name: word, key: true})
	switch {
	case !commaOK:
		return elem
	case f.ask(atom{at: elem.steps, op: isNil, typ: elem.typ}):
		return &tuple{[]value{f.zero(elem.typ), truthOf(false)}}
	}
	return &tuple{[]value{elem, truthOf(true)}}
}
