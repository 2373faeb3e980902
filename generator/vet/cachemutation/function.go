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

// function follows references through one function until nothing new is found. What is stored to memory is kept with
// the value that refers to the memory, so that every later load has it, in whatever order the function runs. Loads
// after stores to the same variable or field are the exception; see found.
type function struct {
	*analysis
	instr   ssa.Instruction // that is followed
	params  []ssa.Value     // and then the variables that the function captures
	refs    map[ssa.Value][]ref
	stores  map[ssa.Value][]store // by the root of the address
	result  summary
	changed bool
}

// ref is a label of a value, and the way on which it came.
type ref struct {
	label
	way []step
}

// on returns the reference after more steps.
func (r ref) on(steps ...step) ref {
	r.way = append(slices.Clip(r.way), steps...)
	return r
}

// cached returns a reference to an object that comes from a cache on a way.
func cached(way []step) ref { return ref{label{origin: origin{fromCache, way[len(way)-1]}}, way} }

// analyze returns the summary of a function, with the facts that are known of its callees.
func (a *analysis) analyze(fn *ssa.Function) *summary {
	f := &function{analysis: a, refs: map[ssa.Value][]ref{}, stores: map[ssa.Value][]store{}}
	f.params = arguments(fn, nil)
	for _, v := range fn.FreeVars {
		f.params = append(f.params, v)
	}
	for i, p := range f.params {
		f.add(p, ref{label: label{origin: origin{param: i}}})
	}
	for _, e := range a.given[fn] {
		r := cached(e.Way)
		r.in = e.In
		f.add(fn.Params[e.To], r)
	}
	f.findStores(fn)
	for f.changed = true; f.changed; {
		f.changed = false
		for _, block := range fn.Blocks {
			for _, instr := range block.Instrs {
				f.instruction(instr)
			}
		}
	}
	return &f.result
}

const mostLabels = 200 // of a value

// add adds a label to a value. It reports whether the value did not have it.
func (f *function) add(v ssa.Value, r ref) bool {
	same := func(o ref) bool { return o.label == r.label }
	all := f.refs[v]
	if !f.refers(v.Type()) || r.in.steps() > longest || len(all) >= mostLabels || slices.ContainsFunc(all, same) {
		return false
	}
	f.refs[v] = append(all, r)
	f.changed = true
	return true
}

func (f *function) instruction(instr ssa.Instruction) {
	f.instr = instr
	switch i := instr.(type) {
	case *ssa.Store:
		f.writes(i.Addr, "writes ")
		f.keep(i.Addr, i.Val, deref)
	case *ssa.MapUpdate:
		f.writes(i.Map, "writes ")
		f.keep(i.Map, i.Value, elem)
	case *ssa.Send:
		f.keep(i.Chan, i.X, elem)
	case *ssa.MakeClosure:
		fn := i.Fn.(*ssa.Function)
		f.apply(f.local(fn), arguments(fn, i.Bindings), nil)
	case ssa.CallInstruction:
		f.call(i)
	case *ssa.Return:
		for n, v := range i.Results {
			for _, r := range f.refs[v] {
				if len(i.Results) > 1 {
					r.in = field(n) + r.in
				}
				f.effect(r, result, site{})
			}
		}
	case *ssa.UnOp:
		if i.Op == token.MUL {
			f.load(i, i.X, deref, addressOf(i.X), "")
		} else {
			f.derive(i)
		}
	case *ssa.Lookup:
		f.load(i, i.X, elem, addressOf(i.X).element(i.Index), derivationOf(i).in)
	case ssa.Value:
		f.derive(i)
	}
}

// derivation says how a value is found in another.
type derivation struct {
	from    []ssa.Value
	steps   path // to the value
	address bool // the value is the address of what is there
	in      path // where the result of the instruction has it
}

func derivationOf(v ssa.Value) (d derivation) {
	if _, several := v.Type().(*types.Tuple); several { // and whether there is such a value
		d.in = field(0)
	}
	switch v := v.(type) {
	case *ssa.Phi:
		for n, edge := range v.Edges {
			if x, c := equal(v.Block().Preds[n], v.Block()); x != edge || c == nil || !c.IsNil() {
				d.from = append(d.from, edge)
			}
		}
		return d
	case *ssa.ChangeType, *ssa.ChangeInterface, *ssa.MakeInterface, *ssa.TypeAssert, *ssa.Convert, *ssa.MultiConvert,
		*ssa.Range:
	case *ssa.FieldAddr:
		d.steps, d.address = deref+field(v.Field), true
	case *ssa.IndexAddr:
		d.steps, d.address = toElements(v.X)+elem, true
	case *ssa.Slice:
		d.steps = toElements(v.X)
	case *ssa.Field:
		d.steps = field(v.Field)
	case *ssa.Extract:
		d.steps = field(v.Index)
	case *ssa.Index, *ssa.Lookup:
		d.steps = elem
	case *ssa.Next:
		d.steps, d.in = elem, field(2)
	case *ssa.UnOp:
		d.steps = elem // of a channel
		if v.Op == token.MUL {
			d.steps = deref
		}
	default:
		return d
	}
	d.from = []ssa.Value{*v.(ssa.Instruction).Operands(nil)[0]}
	return d
}

// toElements returns the path from a slice, or from a pointer to an array, to what has the elements.
func toElements(v ssa.Value) path {
	if _, ok := v.Type().Underlying().(*types.Slice); ok {
		return ""
	}
	return deref
}

// derive adds to a value the labels of those in which it is found. What a store had is no object of a cache if it has
// another type than a metav1.Object.
func (f *function) derive(v ssa.Value) {
	assert, asserts := v.(*ssa.TypeAssert)
	asserts = asserts && !types.IsInterface(assert.AssertedType) && !isObject(assert.AssertedType)
	d := derivationOf(v)
	for _, from := range d.from {
		for _, r := range f.refs[from] {
			if asserts && r.in == "" && r.at == "" && r.origin.param == fromCache {
				continue
			}
			l, ok := r.follow(d.steps)
			if d.address {
				l, ok = r.address(d.steps)
			}
			if ok && isEmptied(v) && strings.HasPrefix(string(l.in), string(elem)) {
				continue
			}
			if l.in = d.in + l.in; ok {
				f.add(v, ref{l, r.way})
			}
		}
	}
}

// isEmptied reports whether a value is a slice without elements, all[:0]. It refers to the array of all, but holds none
// of its elements.
func isEmptied(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok {
		return false
	}
	high, ok := s.High.(*ssa.Const)
	return ok && high.Int64() == 0
}

// keep records that memory to which v refers has a value, at p from v.
func (f *function) keep(v, value ssa.Value, p path) {
	for _, r := range f.refs[value] {
		r.in = p + r.in
		f.hold(v, r)
	}
}

// hold adds a label to a value that refers to memory, and to the values in which that reference is found.
func (f *function) hold(v ssa.Value, r ref) {
	if !f.add(v, r) {
		return
	}
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar:
		if i := slices.Index(f.params, v); i >= 0 {
			f.effect(r, i, site{})
		}
	case *ssa.MakeClosure:
		f.deliver(v.Fn.(*ssa.Function), v, v.Bindings, r)
	case *ssa.Function:
		f.deliver(v, nil, nil, r)
	case *ssa.Alloc: // what the variable refers to has it
		for _, s := range f.stores[v] {
			if s.path == "" && s.value != nil && len(r.in) > 1 {
				r := r
				r.in = r.in[1:]
				f.hold(s.value, r)
			}
		}
	}
	d := derivationOf(v)
	rest := strings.TrimPrefix(string(r.in), string(d.in))
	if d.address {
		rest = strings.TrimPrefix(rest, string(deref))
	}
	r.in = d.steps + path(rest)
	for _, from := range d.from {
		f.hold(from, r)
	}
}

// effect records that the result, or memory of a parameter, has what a label says, or that this is written. A write to
// memory of a cache is reported.
func (f *function) effect(r ref, to int, at site) {
	e := effect{From: r.origin.param, At: r.at, To: to, In: r.in, Way: r.way, site: at}
	if r, ok := f.instr.(*ssa.Return); ok && len(r.Block().Preds) == 1 {
		if v, c := equal(r.Block().Preds[0], r.Block()); c != nil && c.Value != nil {
			e.If, e.Is = slices.Index(f.params, v)+1, c.Value.ExactString()
		}
	}
	if e.From == fromCache {
		e.At = ""
	}
	if old, ok := f.reports[at.pos]; e.From == fromCache && to == written {
		if !ok || len(r.way) < len(old.Way) {
			f.reports[at.pos] = e
		}
	} else if to != e.From || to == fromCache {
		f.changed = f.result.add(e) || f.changed
	}
}

// writes reports or records a write through those of the labels of a value that refer to memory themselves.
func (f *function) writes(v ssa.Value, how string) {
	pos := f.instr.Pos()
	for _, r := range f.refs[v] {
		if r.in == "" {
			f.effect(r.on(step{how + types.ExprString(f.written(pos)), f.place(pos)}), written, site{pos, -1})
		}
	}
}

// equal returns the value that equals a constant if control takes an edge, and the constant.
func equal(from, to *ssa.BasicBlock) (ssa.Value, *ssa.Const) {
	if branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If); ok {
		cond, ok := branch.Cond.(*ssa.BinOp)
		if ok && (cond.Op == token.EQL && to == from.Succs[0] || cond.Op == token.NEQ && to == from.Succs[1]) {
			c, _ := cond.Y.(*ssa.Const)
			return cond.X, c
		}
	}
	return nil, nil
}
