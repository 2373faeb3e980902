// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
)

// A condition is one of the language of markers: a path, or a comparison with a literal.
type condition struct {
	spot       *spot
	elem, rest string // the element of a list that it is on, and the path from there
	literal    string
	equals     bool // or it asks whether the path is there and not empty
	not        bool
}

// text returns the condition as a marker has it. A condition on the element of a list begins with @.
func (c condition) text() string {
	path, literal := c.spot.path, c.literal
	if c.elem != "" {
		path = "@" + c.rest
	}
	if c.spot.class == text {
		literal = strconv.Quote(literal)
	}
	switch {
	case c.equals && c.not:
		return path + "!=" + literal
	case c.equals:
		return path + "==" + literal
	case c.not:
		return "!" + path
	}
	return path
}

// empty reports whether the condition is that a text is empty, or that it is not.
func (c condition) empty(not bool) bool { return c.equals && c.literal == "" && c.not == not }

// holds reports whether the condition holds for a state of its spot.
func (c condition) holds(state string) bool {
	switch {
	case state == stateAbsent:
		return c.not
	case c.equals:
		return (state[1:] == c.literal) != c.not
	}
	return (state != stateEmpty) != c.not
}

// all reports whether all conditions hold for a sample.
func all(conds []condition, s *sample) bool {
	for i := range conds {
		if !conds[i].holds(s.states[conds[i].spot.id]) {
			return false
		}
	}
	return true
}

// facts returns the conditions that hold for a sample, in the order in which to drop them: those on lower spots imply
// that the ones above are there, and the most specific ones come first.
func (l *learner) facts(of *sample) (out []condition) {
	for _, s := range slices.Backward(l.spots) {
		c := condition{spot: s}
		c.elem, c.rest = listOf(s.path)
		add := func(equals, not bool, literal string) {
			if c.equals, c.not, c.literal = equals, not, literal; c.holds(of.states[s.id]) && (s.path != ownNamespace || equals) {
				out = append(out, c)
			}
		}
		for _, not := range []bool{s.class == boolean, s.class != boolean} {
			for n, state := range s.states {
				unlike := n == 0 && s.class != boolean
				if !unlike && state != stateAbsent && slices.Contains([]class{text, boolean, number}, s.class) && (s.own || state != stateEmpty) {
					add(true, not, state[1:])
				}
			}
		}
		if s.class == text || s.class == list || s.own && s.class != boolean {
			add(false, false, "")
			add(false, true, "")
		}
	}
	return out
}
