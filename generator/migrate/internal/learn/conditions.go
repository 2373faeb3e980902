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

// states is a set of states of a spot.
type states uint64

func (s states) has(i int) bool { return s&(1<<i) != 0 }

// all returns all states of a spot.
func (s *spot) all() states { return 1<<len(s.states) - 1 }

// one returns the set of one state, which is empty if the spot does not have it.
func (s *spot) one(state string) states {
	if i := slices.Index(s.states, state); i >= 0 {
		return 1 << i
	}
	return 0
}

// missing returns the states in which nothing is below a spot.
func (s *spot) missing() states {
	if s.class == list {
		return s.one(absent) | s.one(zero)
	}
	return s.one(absent)
}

// condition returns conditions that hold in all states of in, and in no others that are not free.
func (s *spot) condition(in, free states) ([]condition, bool) {
	var forms [][]condition
	there := condition{path: s.path, class: s.class}
	gone := there
	gone.not = true
	var is, isNot, rest []condition
	for i, state := range s.states {
		value, ok := valueOf(state, s.class)
		if !ok || state == zero && s.class == text && (!s.own || s.entry) {
			continue
		}
		c := condition{path: s.path, class: s.class, equals: true, literal: value}
		is = append(is, c)
		if c.not = true; !in.has(i) && !free.has(i) {
			isNot = append(isNot, c)
			if state != zero {
				rest = append(rest, c)
			}
		}
	}
	for _, c := range is {
		forms = append(forms, []condition{c})
	}
	if s.class == text || s.class == list || s.own && s.class != boolean {
		forms = append(forms, []condition{there}, []condition{gone})
	}
	for _, c := range isNot {
		forms = append(forms, []condition{c})
	}
	for _, c := range is {
		c.not = true
		forms = append(forms, []condition{c})
	}
	forms = append(forms, isNot)
	if s.class != boolean && (s.class != number || s.own) {
		forms = append(forms, append([]condition{there}, rest...))
	}
	for _, form := range forms {
		if len(form) > 0 && s.matches(form, in, free) {
			return form, true
		}
	}
	return nil, false
}

func (s *spot) matches(form []condition, in, free states) bool {
	for i, state := range s.states {
		all := true
		for _, c := range form {
			all = all && c.of(state)
		}
		if all != in.has(i) && (in.has(i) || !free.has(i)) {
			return false
		}
	}
	return true
}

// pieces returns sets of states that have conditions and together are in: in itself if it has states that are no
// constants, and otherwise each.
func (s *spot) pieces(in, free states) (out []states) {
	if _, ok := s.condition(in, free); ok || in.has(0) {
		return []states{in}
	}
	var gone states
	for i, state := range s.states {
		if one := states(1 << i); in.has(i) && (state == absent || state == zero) {
			gone |= one
		} else if in.has(i) {
			out = append(out, one)
		}
	}
	if gone != 0 {
		out = append(out, gone)
	}
	return out
}
