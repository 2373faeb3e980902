// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A condition is one of the language of markers: a path, or a comparison with a literal.
type condition struct {
	path    string
	literal string // "" to ask whether it is there and not empty
	class   class
	not     bool
	equals  bool
}

// text returns the condition as a marker has it. A condition on the element of a list begins with @.
func (c condition) text() string {
	elem, path := listOf(c.path)
	if elem != "" {
		path = "@" + path
	}
	switch op := map[bool]string{false: "==", true: "!="}[c.not]; {
	case c.equals && c.class == text:
		return path + op + strconv.Quote(c.literal)
	case c.equals:
		return path + op + c.literal
	case c.not:
		return "!" + path
	}
	return path
}

// holds reports whether the condition holds for the object, or for the element of its list.
func (c condition) holds(v reflect.Value) bool {
	_, path := listOf(c.path)
	v, ok := at(v, path)
	switch {
	case !ok:
		return c.not
	case c.equals:
		return (textOf(v) == c.literal) != c.not
	}
	return (c.class != text && c.class != list || v.Len() > 0) != c.not
}

// of reports whether the condition holds in a state of its spot.
func (c condition) of(state string) bool {
	switch value, is := valueOf(state, c.class); {
	case state == absent:
		return c.not
	case c.equals:
		return (is && value == c.literal) != c.not
	}
	return (c.class != text && c.class != list || state != zero) != c.not
}

// valueOf returns the value of a spot in a state, if that has one.
func valueOf(state string, c class) (value string, ok bool) {
	if state == zero && c != list {
		return map[class]string{boolean: "false", number: "0"}[c], true
	}
	return strings.CutPrefix(state, "=")
}

// A fact is a condition on a spot.
type fact struct {
	condition
	spot int
	in   uint64 // the states in which it holds
}

func (c fact) has(a assignment) bool { return c.in>>a[c.spot]&1 != 0 }

// all reports whether all conditions hold for an assignment.
func all(conds []fact, a assignment) bool {
	for _, c := range conds {
		if !c.has(a) {
			return false
		}
	}
	return true
}

// facts returns the conditions on spots that hold for an assignment, in the order in which to drop them: on a spot, the
// most specific one first.
func (t *template) facts(a assignment) (out []fact) {
	for i, s := range t.spots {
		var forms []condition
		is := condition{path: s.path, class: s.class, equals: true}
		isNot := is
		isNot.not = true
		for _, state := range s.states {
			value, ok := valueOf(state, s.class)
			if is.literal, isNot.literal = value, value; !ok || state == zero && s.class == text && !s.own {
				continue
			}
			if forms = append([]condition{is}, forms...); s.class != boolean || t.mayBeAbsent(a, i) {
				forms = append(forms, isNot)
			}
		}
		if s.class == text || s.class == list || s.own && s.class != boolean {
			forms = append(forms, condition{path: s.path, class: s.class}, condition{path: s.path, class: s.class, not: true})
		}
		for _, c := range forms {
			of := fact{condition: c, spot: i}
			for n, state := range s.states {
				if c.of(state) {
					of.in |= 1 << n
				}
			}
			if of.has(a) && s.path != ownNamespace {
				out = append(out, of)
			}
		}
	}
	return out
}

// mayBeAbsent reports whether a spot may be absent where the key is not.
func (t *template) mayBeAbsent(a assignment, i int) bool {
	if gone := slices.Index(t.spots[i].states, absent); gone >= 0 {
		if a = t.changed(a, i, gone); a != nil {
			_, ok := t.rendered(a)
			return ok
		}
	}
	return false
}
