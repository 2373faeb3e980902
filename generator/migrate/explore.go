// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"maps"
	"slices"
)

// A run evaluates a function, or the body of a loop, with one combination of answers to what it asks about the object.
type run struct {
	plan  []bool          // the answers
	asked []atom          // the questions, as they were answered
	conds []atom          // what holds: the answers, and what is assumed
	cells map[*cell]value // the variables
}

// ended is panicked with by stop and recovered by attempt.
type ended struct{}

// stop ends a run in which the function panics, since such objects do not count.
func (e *evaluator) stop() { panic(ended{}) } //nolint:forbidigo // attempt recovers it

// attempt makes a run, and returns the variables at its end, or nil if it is stopped.
func (e *evaluator) attempt(do func()) map[*cell]value {
	defer func() {
		switch bad := recover().(type) {
		case nil, ended:
		default:
			panic(bad) //nolint:forbidigo // it was not stop
		}
	}()
	do()
	return e.cells
}

// ask returns whether a holds. If the conditions of the run do not tell, the answer is yes, and no in another run.
func (e *evaluator) ask(a atom) bool {
	for _, c := range e.conds {
		if c.implies(a) || c.contradicts(a) {
			return c.implies(a)
		}
	}
	if len(e.asked) == len(e.plan) {
		e.plan = append(e.plan, true)
	}
	yes := e.plan[len(e.asked)]
	if !yes {
		a = a.negated()
	}
	e.asked, e.conds = append(e.asked, a), append(e.conds, a)
	return yes
}

// assume adds conditions to a run, or stops it if they cannot hold.
func (e *evaluator) assume(conds []atom) {
	all, ok := both(e.conds, conds)
	if !ok {
		e.stop()
	}
	e.conds = all
}

// explore makes a run for each combination of answers, and merges the variables at their ends.
func (e *evaluator) explore(do func()) {
	outer := e.run
	var from func(plan []bool) map[*cell]value
	from = func(plan []bool) map[*cell]value {
		e.run = run{plan, nil, slices.Clone(outer.conds), maps.Clone(outer.cells)}
		cells, made := e.attempt(do), e.run
		for i := len(made.asked) - 1; i >= len(plan); i-- {
			cells = merged(made.asked[i], cells, from(append(slices.Clone(made.plan[:i]), false)))
		}
		return cells
	}
	if cells := from(nil); cells != nil {
		outer.cells = cells
	}
	e.run = outer
}

// merged returns the variables after two runs that differ in the answer to a.
func merged(a atom, yes, no map[*cell]value) map[*cell]value {
	if yes == nil {
		a, yes, no = a.negated(), no, nil
	}
	out := maps.Clone(yes)
	for c, v := range yes {
		if no == nil {
			out[c] = found(a, v)
		} else if other, ok := no[c]; ok {
			out[c] = either(a, v, other)
		}
	}
	return out
}

// differing is the value of a variable that is no list and has several values.
var differing = &unknown{"a variable that depends on conditions or elements", false}

// either returns the value of a variable that is x if a holds, and y if not. Only a list can be both.
func either(a atom, x, y value) value {
	if same(x, y) {
		return x
	} else if !isList(x) || !isList(y) {
		return differing
	}
	out, ys := &list{}, elements(y)
	add := func(items []item, conds ...atom) { out.items = append(out.items, guarded(items, conds)...) }
	for _, it := range elements(x) {
		v, i := it.value, slices.IndexFunc(ys, it.is)
		if i < 0 {
			i = slices.IndexFunc(ys, func(other item) bool { v = it.instead(a, other); return v != nil })
		}
		if i < 0 {
			add([]item{it}, a)
			continue
		}
		add(ys[:i], a.negated())
		add([]item{{ys[i].conds, v}})
		ys = ys[i+1:]
	}
	add(ys, a.negated())
	out.items = simplified(out.items)
	return out
}

// found returns v, for runs that have no outcome without a. If a is about an element of a list, only the items that
// come from the element need the condition.
func found(a atom, v value) value {
	l, ok := v.(*list)
	last := lastLoop(a.at)
	if !ok || last < 0 {
		return v
	}
	of := func(p *place) bool { return lastLoop(p.steps) >= last && slices.Equal(p.steps[:last+1], a.at[:last+1]) }
	out := &list{}
	for _, it := range l.items {
		if slices.ContainsFunc(places(it.value), of) {
			out.items = append(out.items, guarded([]item{it}, []atom{a})...)
		} else {
			out.items = append(out.items, it)
		}
	}
	return out
}
