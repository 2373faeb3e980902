// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
)

// A condition is one of the language of markers: a path, or a comparison with a literal.
type condition struct {
	path       string
	elem, rest string // the element of a list that it is on, and the path from there
	spot       int
	class      class
	literal    string
	equals     bool // or it asks whether the path is there and not empty
	not        bool
}

// text returns the condition as a marker has it. A condition on the element of a list begins with @.
func (c condition) text() string {
	path, op := c.path, "=="
	if c.elem != "" {
		path = "@" + c.rest
	}
	if c.not {
		op = "!="
	}
	switch {
	case c.equals && c.class == text:
		return path + op + strconv.Quote(c.literal)
	case c.equals:
		return path + op + c.literal
	case c.not:
		return "!" + path
	}
	return path
}

// is reports whether the condition is that a text is empty, or that it is not.
func (c condition) empty(not bool) bool { return c.equals && c.literal == "" && c.not == not }

// holds reports whether the condition holds for a state of its spot.
func (c condition) holds(state string) bool {
	switch {
	case state == "":
		return c.not
	case c.equals:
		return (state[1:] == c.literal) != c.not
	}
	return (state != "=") != c.not
}

// all reports whether all conditions hold for a sample.
func all(conds []condition, s *sample) bool {
	for i := range conds {
		if !conds[i].holds(s.states[conds[i].spot]) {
			return false
		}
	}
	return true
}

// facts returns the conditions that hold for a sample, in the order in which to drop them: those on lower spots imply
// that the ones above are there, and the most specific ones come first.
func (t *template) facts(s *sample) (out []condition) {
	for i := len(t.spots) - 1; i >= 0; i-- {
		of := t.spots[i]
		if of.path == ownNamespace {
			continue
		}
		c := condition{path: of.path, spot: i, class: of.class}
		c.elem, c.rest = listOf(of.path)
		is, not := []condition{}, []condition{}
		for n, state := range of.states {
			c.equals = true
			unlike := n == 0 && of.class != boolean
			if unlike || state == "" || of.class == list || of.class == whole || state == "=" && !of.own {
				continue
			}
			c.literal, c.not = state[1:], false
			is = append(is, c)
			if c.not = true; of.class != boolean || t.without(i) {
				not = append(not, c)
			}
		}
		slices.Reverse(is)
		if c.literal, c.equals = "", false; of.class == text || of.class == list || of.own && of.class != boolean {
			c.not = false
			not = append(not, c)
			c.not = true
			not = append(not, c)
		}
		for _, c := range append(is, not...) {
			if c.holds(s.states[i]) {
				out = append(out, c)
			}
		}
	}
	return out
}

// without reports whether a spot may be absent where the key is not.
func (t *template) without(i int) bool {
	free := t.spots[i].own
	for _, s := range t.spots[:i] {
		free = free || above(s.path, t.spots[i].path) &&
			!slices.ContainsFunc(t.places, func(p int) bool { return above(s.path, t.spots[p].path) })
	}
	return free
}
