// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// value is a symbolic value. Values are pointers and are not modified once they are made.
type value any

// A place is a value in the indexed object.
type place struct {
	steps []step
	typ   types.Type
	never bool // a pointer that is never nil, such as that of the object
}

// step is one step of a path: a JSON field, the value of a map key, or each element.
type step struct {
	name string
	key  bool
	loop int // identifies the loop over the elements, from 1; otherwise 0
}

type (
	// konst is a constant.
	konst struct{ constant.Value }
	// nothing is nil.
	nothing struct{}
	// text is a string that is joined from constants and places.
	text struct{ parts []value }
	// list is a list or set that the function builds.
	list struct {
		items []item
		set   bool // ranging over it yields the items as keys
		sized bool // it was made with a length, and its elements are assigned
	}
	// record is a struct literal.
	record struct {
		typ    types.Type
		fields map[string]value
	}
	// tuple is the results of a call.
	tuple struct{ values []value }
	// closure is a function literal or a declared function.
	closure struct {
		signature *ast.FuncType
		body      *ast.BlockStmt
		receiver  *ast.FieldList
		in        *source
	}
	// position is the index of a loop's element in a list.
	position struct {
		of   string
		elem value
	}
	// opaque is a value of which nothing is known except that it is not nil.
	opaque struct{ what string }
	// poisoned is a variable whose value differs with the elements of a loop.
	poisoned struct{}
)

// item is an element of a list that exists if its conditions hold.
type item struct {
	conds []atom
	value value
}

// op is the kind of a condition.
type op int

const (
	isNil   op = iota // a pointer is nil
	isEmpty           // a string, list or map is empty
	hasKey            // a map has the key
	equals            // the value is a constant
	noMatch           // a loop that ends at the first match has none
)

// An atom is a condition on a value in the object.
type atom struct {
	at    []step
	op    op
	value string // of equals: the literal
	typ   types.Type
	not   bool
}

func (a atom) negated() atom { a.not = !a.not; return a }

// same reports whether two atoms are about the same, negated or not.
func (a atom) same(b atom) bool {
	return a.op == b.op && a.value == b.value && slices.Equal(a.at, b.at)
}

func (a atom) is(b atom) bool { return a.same(b) && a.not == b.not }

// present reports whether the atom implies that the place exists and everything on the way to it.
func (a atom) present() bool {
	switch a.op {
	case equals:
		return !a.not || a.value == "true"
	case isNil, isEmpty:
		return a.not
	}
	return a.op == hasKey && !a.not
}

// absent reports whether the atom implies that nothing is below the place.
func (a atom) absent() bool {
	return (a.op == isNil || a.op == isEmpty) && !a.not || a.op == hasKey && a.not
}

// contradicts reports whether a and b cannot both be true.
func (a atom) contradicts(b atom) bool {
	if a.same(b) {
		return a.not != b.not
	}
	for range 2 {
		switch {
		case !slices.Equal(a.at, b.at):
			if a.absent() && under(b.at, a.at) && b.present() {
				return true
			}
		case a.op == equals && b.op == equals && !a.not && !b.not:
			return true
		case a.op == equals && !a.not && a.value != `""` && (b.op == isEmpty || b.op == isNil) && !b.not,
			(a.op == isEmpty && a.not || a.op == equals && a.not && a.value == "true") && b.op == isNil && !b.not,
			a.op == hasKey && a.not && b.present():
			return true
		}
		a, b = b, a
	}
	return false
}

// implies reports whether b holds if a does.
func (a atom) implies(b atom) bool { return a.is(b) || a.contradicts(b.negated()) }

// under reports whether path begins with prefix and goes on.
func under(path, prefix []step) bool {
	return len(path) > len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}

// field returns a place below p, whose last step is at.
func (p *place) to(typ types.Type, at ...step) *place {
	return &place{steps: append(p.steps[:len(p.steps):len(p.steps)], at...), typ: typ}
}

// pathText returns steps as the path of a marker, with the filters of its loops.
func pathText(steps []step, filters map[int]string) string {
	var out strings.Builder
	for _, s := range steps {
		switch {
		case s.loop > 0 && filters[s.loop] != "":
			out.WriteString("[?(" + filters[s.loop] + ")]")
		case s.loop > 0:
			out.WriteString("[*]")
		case s.key:
			out.WriteString("['" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s.name) + "']")
		default:
			out.WriteString("." + s.name)
		}
	}
	return out.String()
}

// lastLoop returns the index of the last step that iterates, or -1.
func lastLoop(steps []step) int {
	for i, s := range slices.Backward(steps) {
		if s.loop > 0 {
			return i
		}
	}
	return -1
}

func describe(v value) string {
	switch v := v.(type) {
	case *place:
		if len(v.steps) == 0 {
			return "the object"
		}
		return pathText(v.steps, nil)
	case *konst:
		return v.String()
	case *nothing:
		return "nil"
	case *text:
		return "joined text"
	case *list:
		return "a list that the function builds"
	case *record:
		return "a " + types.TypeString(v.typ, (*types.Package).Name)
	case *closure:
		return "a function"
	case *opaque:
		return v.what
	}
	return "several values"
}
