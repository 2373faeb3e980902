// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// op is the kind of a condition.
type op int

const (
	isNil   op = iota // a pointer is nil, or a map lacks the key
	isEmpty           // a string, list or map is empty
	equals            // the value is a constant
	noMatch           // a list that the function builds is empty, or a loop that ends at the first match has none
)

// An atom is a condition on a value in the object.
type atom struct {
	at    []step
	op    op
	value string // of equals: the literal; of noMatch: the number of the list or loop
	list  *list  // of noMatch: the elements that would match
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
	return false
}

// absent reports whether the atom implies that nothing is below the place.
func (a atom) absent() bool {
	return (a.op == isNil || a.op == isEmpty) && !a.not
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
			(a.op == isEmpty && a.not || a.op == equals && a.not && a.value == "true") && b.op == isNil && !b.not:
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

// both returns the conditions of a and b, or false if they exclude each other.
func both(a, b []atom) ([]atom, bool) {
	out := a[:len(a):len(a)]
	for _, x := range b {
		if slices.ContainsFunc(a, x.contradicts) {
			return nil, false
		}
		if !slices.ContainsFunc(a, x.is) {
			out = append(out, x)
		}
	}
	return out, true
}

// guarded returns items under further conditions.
func guarded(items []item, conds []atom) (out []item) {
	for _, it := range items {
		if all, ok := both(conds, it.conds); ok {
			out = append(out, item{all, it.value})
		}
	}
	return out
}

// simplified removes conditions that other items make unnecessary: x if a, and x if not a, are x.
func simplified(items []item) []item {
	items = slices.Clone(items)
	other := func(i int, conds []atom) bool {
		for j, o := range items {
			if j != i && same(o.value, items[i].value) && follow(o.conds, conds) {
				return true
			}
		}
		return false
	}
	for i := 0; i < len(items); {
		conds := reduced(items[i].conds)
		items[i].conds = conds
		c := slices.IndexFunc(conds, func(a atom) bool {
			flipped := slices.Clone(conds)
			flipped[slices.IndexFunc(conds, a.is)] = a.negated()
			return other(i, flipped)
		})
		if i++; c >= 0 {
			items[i-1].conds = slices.Delete(slices.Clone(conds), c, c+1)
			i = 0
		}
	}
	for i := len(items) - 1; i >= 0; i-- {
		if other(i, items[i].conds) {
			items = slices.Delete(items, i, i+1)
		}
	}
	return items
}

// reduced removes conditions that others imply.
func reduced(conds []atom) []atom {
	conds = slices.Clone(conds)
	for i := len(conds) - 1; i >= 0; i-- {
		implies := func(b atom) bool { return b.implies(conds[i]) }
		if slices.ContainsFunc(conds[:i], implies) || slices.ContainsFunc(conds[i+1:], implies) {
			conds = slices.Delete(conds, i, i+1)
		}
	}
	return conds
}

// follow reports whether all conditions of a follow from b.
func follow(a, b []atom) bool {
	return !slices.ContainsFunc(a, func(x atom) bool {
		return !slices.ContainsFunc(b, func(y atom) bool { return y.implies(x) })
	})
}

// identity is a text that is equal for equal values.
func identity(v value) string {
	switch v := v.(type) {
	case *place:
		return fmt.Sprint(v.steps, v.never)
	case *konst:
		if v.Value != nil {
			return v.ExactString()
		}
	case *choice:
		return identity(v.first) + "|" + identity(v.otherwise)
	case *text:
		var out []string
		for _, p := range v.parts {
			out = append(out, identity(p))
		}
		return strings.Join(out, "+")
	case *list:
		out := "list"
		for _, it := range v.items {
			for _, a := range it.conds {
				out += fmt.Sprint(" ", a.at, a.op, a.value, a.not)
			}
			out += " " + identity(it.value)
		}
		return out
	}
	return fmt.Sprintf("%p", v)
}

func same(a, b value) bool { return a == b || identity(a) == identity(b) }
