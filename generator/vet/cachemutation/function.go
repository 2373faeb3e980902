// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// function follows references through one function until nothing new is found. What is stored to memory is kept with
// the value that refers to the memory, so that every later load has it, in whatever order the function runs. Loads
// that only one store can reach are the exception; see reaching.
type function struct {
	*analysis
	fn      *ssa.Function
	labels  map[ssa.Value]map[label]*way
	order   map[ssa.Value][]label // of labels, so that reports do not depend on the order of maps
	origins []origin
	stores  []store
	result  summary
	changed bool
}

// origin is memory that comes from outside the function.
type origin struct {
	param int  // or fromCache
	way   *way // from the cache
}

// way is a list of steps, from the last to the first.
type way struct {
	step step
	from *way
}

func (w *way) steps() (steps []step) {
	if w == nil {
		return nil
	}
	return append(w.from.steps(), w.step)
}

// then returns the way with more steps.
func (w *way) then(steps ...step) *way {
	for _, s := range steps {
		w = &way{s, w}
	}
	return w
}

// analyze returns the summary of a function, with the facts that are known of its callees. Ways are reported to report.
func (a *analysis) analyze(fn *ssa.Function) *summary {
	f := &function{analysis: a, fn: fn, labels: map[ssa.Value]map[label]*way{}, order: map[ssa.Value][]label{}}
	for i, p := range params(fn) {
		f.origins = append(f.origins, origin{param: i})
		f.add(p, label{origin: i}, nil)
	}
	for _, given := range a.given[fn] {
		o := f.addOrigin(origin{param: fromCache, way: (*way)(nil).then(given.way...)})
		f.add(fn.Params[given.param], label{origin: o, in: given.in}, f.origins[o].way)
	}
	f.findStores()
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

// params returns the parameters of a function and then its free variables.
func params(fn *ssa.Function) (all []ssa.Value) {
	for _, p := range fn.Params {
		all = append(all, p)
	}
	for _, v := range fn.FreeVars {
		all = append(all, v)
	}
	return all
}

func (f *function) addOrigin(o origin) int {
	for i, known := range f.origins {
		if known.param == o.param && known.way != nil && o.way != nil && known.way.step == o.way.step {
			return i
		}
	}
	f.origins = append(f.origins, o)
	return len(f.origins) - 1
}

const mostLabels = 200 // of a value

// add adds a label to a value. It reports whether the value did not have it.
func (f *function) add(v ssa.Value, l label, w *way) bool {
	if !f.types.refers(v.Type()) || len(f.order[v]) >= mostLabels {
		return false
	}
	if _, ok := f.labels[v][l]; ok {
		return false
	}
	if f.labels[v] == nil {
		f.labels[v] = map[label]*way{}
	}
	f.labels[v][l] = w
	f.order[v] = append(f.order[v], l)
	f.changed = true
	return true
}

// copy adds the labels of from to v, changed by each of the functions.
func (f *function) copy(v, from ssa.Value, change ...func(label) (label, bool)) {
	for _, l := range f.order[from] {
		w, ok := f.labels[from][l], true
		for _, c := range change {
			if l, ok = c(l); !ok {
				break
			}
		}
		if ok {
			f.add(v, l, w)
		}
	}
}

func to(p path) func(label) (label, bool) { return func(l label) (label, bool) { return l.to(p) } }
func within(p path) func(label) (label, bool) {
	return func(l label) (label, bool) { return l.within(p) }
}

func (f *function) instruction(instr ssa.Instruction) {
	switch i := instr.(type) {
	case *ssa.Phi:
		for n, edge := range i.Edges {
			if !isNil(edge, i.Block().Preds[n], i.Block()) {
				f.copy(i, edge)
			}
		}
	case *ssa.ChangeType:
		f.copy(i, i.X)
	case *ssa.ChangeInterface:
		f.copy(i, i.X)
	case *ssa.MakeInterface:
		f.copy(i, i.X)
	case *ssa.Convert:
		f.copy(i, i.X)
	case *ssa.MultiConvert:
		f.copy(i, i.X)
	case *ssa.TypeAssert:
		f.assert(i)
	case *ssa.FieldAddr:
		f.copy(i, i.X, func(l label) (label, bool) { return l.element(deref, field(i.Field)) })
	case *ssa.IndexAddr:
		if isSlice(i.X) {
			f.copy(i, i.X, func(l label) (label, bool) { return l.element(elem) })
		} else {
			f.copy(i, i.X, func(l label) (label, bool) { return l.element(deref, elem) })
		}
	case *ssa.Field:
		f.copy(i, i.X, to(field(i.Field)))
	case *ssa.Index:
		f.copy(i, i.X, to(elem))
	case *ssa.Lookup:
		if i.CommaOk {
			f.copy(i, i.X, to(elem), within(field(0)))
		} else {
			f.copy(i, i.X, to(elem))
		}
	case *ssa.UnOp:
		switch i.Op {
		case token.MUL:
			f.load(i)
		case token.ARROW:
			if i.CommaOk {
				f.copy(i, i.X, to(elem), within(field(0)))
			} else {
				f.copy(i, i.X, to(elem))
			}
		}
	case *ssa.Send:
		f.keep(i.Chan, i.X, elem)
	case *ssa.Slice:
		if isSlice(i.X) {
			f.copy(i, i.X)
		} else {
			f.copy(i, i.X, func(l label) (label, bool) {
				if l.in != "" {
					return l.to(deref)
				}
				return l, true
			})
		}
	case *ssa.SliceToArrayPointer:
		f.copy(i, i.X, func(l label) (label, bool) {
			if l.in != "" {
				l.in = deref + l.in
			}
			return l, true
		})
	case *ssa.Extract:
		f.copy(i, i.Tuple, to(field(i.Index)))
	case *ssa.Range:
		f.copy(i, i.X)
	case *ssa.Next:
		f.copy(i, i.Iter, to(elem), within(field(2)))
	case *ssa.Store:
		f.writes(i.Addr, f.order[i.Addr], i.Pos(), "writes "+described(i.Addr))
		f.keep(i.Addr, i.Val, deref)
	case *ssa.MapUpdate:
		f.writes(i.Map, f.order[i.Map], i.Pos(), "writes an element of "+described(i.Map))
		f.keep(i.Map, i.Value, elem)
	case *ssa.MakeClosure:
		f.apply(f.summaries[i.Fn.(*ssa.Function)], i, append(make([]ssa.Value, len(i.Fn.(*ssa.Function).Params)), i.Bindings...), nil, nil)
	case ssa.CallInstruction:
		f.call(i)
	case *ssa.Return:
		for n, result := range i.Results {
			for _, l := range f.order[result] {
				f.flows(l, n, l.in, f.labels[result][l])
			}
		}
	}
}

// assert follows a type assertion. What a store had is no object of a cache if its type is no metav1.Object.
func (f *function) assert(i *ssa.TypeAssert) {
	change := []func(label) (label, bool){func(l label) (label, bool) {
		_, isPointer := i.AssertedType.Underlying().(*types.Pointer)
		return l, !isPointer || l.in != "" || l.at != "" || f.origins[l.origin].param != fromCache || f.types.object(i.AssertedType)
	}}
	if i.CommaOk {
		change = append(change, within(field(0)))
	}
	f.copy(i, i.X, change...)
}

// flows records that a result, or memory of a parameter, has l.
func (f *function) flows(l label, to int, in path, w *way) {
	o := f.origins[l.origin]
	if o.param == fromCache {
		l.at = ""
	} else if to == toParam(o.param) {
		return
	}
	if f.result.addFlow(flow{From: o.param, At: l.at, To: to, In: in, Way: w.steps()}) {
		f.changed = true
	}
}

// writes reports or records a write through those of the labels of a value that refer to memory themselves.
func (f *function) writes(v ssa.Value, labels []label, pos token.Pos, text string) {
	for _, l := range labels {
		if l.in == "" {
			f.write(l, f.labels[v][l], pos, step{text, f.place(pos)})
		}
	}
}

// write reports a write to memory of a cache, or records one to memory of a parameter.
func (f *function) write(l label, w *way, pos token.Pos, steps ...step) {
	o := f.origins[l.origin]
	if o.param == fromCache {
		f.report(pos, w.then(steps...).steps())
		return
	}
	if f.result.addWrite(write{Param: o.param, At: l.at, Way: w.then(steps...).steps(), pos: pos}) {
		f.changed = true
	}
}

func isSlice(v ssa.Value) bool {
	_, ok := v.Type().Underlying().(*types.Slice)
	return ok
}

// isNil reports whether control takes an edge only if a value is nil.
func isNil(v ssa.Value, from, to *ssa.BasicBlock) bool {
	branch, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok {
		return false
	}
	cond, ok := branch.Cond.(*ssa.BinOp)
	if !ok || cond.X != v {
		return false
	}
	c, ok := cond.Y.(*ssa.Const)
	return ok && c.IsNil() && (cond.Op == token.EQL && to == from.Succs[0] || cond.Op == token.NEQ && to == from.Succs[1])
}
