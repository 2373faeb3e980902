// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/constant"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

// value is a symbolic value. Values are pointers, and are not modified once they are made.
type value any

// A place is a value in the indexed object, or its address.
type place struct {
	steps  []step
	typ    types.Type
	never  bool   // a pointer that is never nil, such as that of the object
	parent *place // that it was made of
}

// step is one step of a path: a JSON field, the value of a map key, or each element.
type step struct {
	name string
	key  bool
	loop int // identifies the loop over the elements, from 1; otherwise 0
}

type (
	// konst is a constant, and nil if it has no value.
	konst struct{ constant.Value }
	// text is a string that is joined from constants and places.
	text struct{ parts []value }
	// choice is a place, or another value if the place is absent.
	choice struct {
		first     *place
		otherwise value
		weak      bool // an empty string is not absent
	}
	// list is a list, or the keys of a map, that the function builds.
	list struct{ items []item }
	// record is a struct or an array that the function builds, or a copy of one in the object.
	record struct {
		typ    types.Type
		fields map[int]value
		copied *place
	}
	// tuple is the results of a call.
	tuple struct{ values []value }
	// closure is a function with its free variables.
	closure struct {
		fn   *ssa.Function
		free []value
	}
	// cell is a variable whose address is used or that a loop changes, or a map or list that is assigned to.
	cell struct{ _ byte }
	// pointer is the address of a cell, or of a part of what it holds.
	pointer struct {
		cell *cell
		path []int // indexes of fields
		each bool  // each element of a list
	}
	// length is the length of a value.
	length struct{ of value }
	// iteration is the index of a loop, and its condition.
	iteration struct {
		over, elem value
		loop       int
		phi        *ssa.Phi // nil in a loop over a map
	}
	// unknown is a value that the evaluator cannot follow, such as a variable that differs with the elements of a loop.
	unknown struct {
		what   string
		exists bool // it is not nil
	}
)

// item is an element of a list, under conditions.
type item struct {
	conds []atom
	value value
}

var none = &konst{}

func one(v value) []item { return []item{{value: v}} }

// is reports whether two items are the same.
func (it item) is(other item) bool {
	return same(it.value, other.value) && slices.EqualFunc(it.conds, other.conds, atom.is)
}

func isList(v value) bool { _, ok := v.(*list); return ok || isNone(v) }

// elements returns the items of a list, or none of nil.
func elements(v value) []item {
	if l, ok := v.(*list); ok {
		return l.items
	}
	return nil
}

// match returns the conditions of the elements that end a loop, or nil if there are several kinds.
func (l *list) match() []atom {
	if len(l.items) == 1 {
		return l.items[0].conds
	}
	return nil
}

func isNone(v value) bool { c, ok := v.(*konst); return ok && c.Value == nil }

func literal(s string) *konst { return &konst{constant.MakeString(s)} }

// stringOf returns a constant string.
func stringOf(v value) (string, bool) {
	if c, ok := v.(*konst); ok && c.Value != nil && c.Kind() == constant.String {
		return constant.StringVal(c.Value), true
	}
	return "", false
}

// to returns a place below p, whose last step is at.
func (p *place) to(typ types.Type, at ...step) *place {
	return &place{steps: append(slices.Clone(p.steps), at...), typ: typ, parent: p}
}

// holder returns the struct that p is a field of, or nil.
func (p *place) holder() *place {
	out := p.parent
	for out != nil && out.parent != nil && len(out.parent.steps) == len(out.steps) {
		out = out.parent // out is inlined in it
	}
	return out
}

// fieldPath returns steps as the path of a marker, with the filters of its loops.
func fieldPath(steps []step, filters map[int][]fieldpath.Condition) (out fieldpath.Path) {
	for _, s := range steps {
		at := fieldpath.Step{Value: s.name}
		switch {
		case s.loop > 0 && filters[s.loop] != nil:
			at.Kind, at.Conditions = fieldpath.Match, filters[s.loop]
		case s.loop > 0:
			at.Kind = fieldpath.All
		case s.key:
			at.Kind = fieldpath.Key
		}
		out = append(out, at)
	}
	return out
}

func pathText(steps []step) string { return fieldPath(steps, nil).String() }

// lastLoop returns the index of the last step that iterates, or -1.
func lastLoop(steps []step) int {
	for i, s := range slices.Backward(steps) {
		if s.loop > 0 {
			return i
		}
	}
	return -1
}

// places returns the places in a value.
func places(v value) []*place {
	switch v := v.(type) {
	case *place:
		return []*place{v}
	case *choice:
		return append(places(v.first), places(v.otherwise)...)
	case *text:
		var out []*place
		for _, p := range v.parts {
			out = append(out, places(p)...)
		}
		return out
	}
	return nil
}

func describe(v value) string {
	switch v := v.(type) {
	case *place:
		if len(v.steps) == 0 {
			return "the object"
		}
		return pathText(v.steps)
	case *konst:
		if v.Value == nil {
			return "nil"
		}
		return v.ExactString()
	case *choice:
		return describe(v.first) + ", or " + describe(v.otherwise)
	case *text:
		return "joined text"
	case *list:
		return "a list that the function builds"
	case *record:
		return "a " + types.TypeString(v.typ, (*types.Package).Name)
	case *closure:
		return "a function"
	case *length:
		return "the length of " + describe(v.of)
	case *unknown:
		return v.what
	}
	return "a variable"
}
