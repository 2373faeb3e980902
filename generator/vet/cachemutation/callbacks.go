// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"golang.org/x/tools/go/ssa"
)

// callback follows a call of a function value. If the value is a parameter, the callers know the function: the arguments
// are what flows to it. If it is an iterator, its argument is a function that gets what it yields.
func (f *function) callback(common *ssa.CallCommon) {
	for _, l := range f.order[common.Value] {
		if first, _ := l.in.cut(); first == yield {
			for _, arg := range common.Args {
				f.hold(arg, l, f.labels[common.Value][l])
			}
			continue
		}
		o := f.origins[l.origin]
		if l.in != "" || o.param == fromCache {
			continue
		}
		for n, arg := range common.Args {
			for _, passed := range f.order[arg] {
				f.flows(passed, toParam(o.param), l.at+yield+field(n)+passed.in, f.labels[arg][passed])
			}
		}
	}
}

// deliver passes a label to the parameter of a function that is a value; the path in the label begins with which.
func (f *function) deliver(v ssa.Value, l label, w *way) {
	closure, _ := v.(*ssa.MakeClosure)
	args := []ssa.Value(nil)
	if closure != nil {
		v, args = closure.Fn, closure.Bindings
	}
	fn, ok := v.(*ssa.Function)
	first, which := l.in.cut()
	if !ok || first != yield || which == "" {
		return
	}
	which, l.in = which.cut()
	param := int([]rune(which)[0]) - 0x100
	s := f.summaries[fn]
	if s.empty() || param >= len(fn.Params) {
		return
	}
	for _, written := range s.Writes {
		if l, ok := l.follow(written.At); ok && l.in == "" && written.Param == param {
			f.write(l, w, written.pos, written.Way...)
		}
	}
	for _, flow := range s.Flows {
		to := toParam(flow.To) - len(fn.Params)
		if l, ok := l.follow(flow.At); ok && flow.From == param && flow.To < 0 && to >= 0 && to < len(args) {
			if l, ok := l.within(flow.In); ok {
				f.hold(args[to], l, w)
			}
		}
	}
}
