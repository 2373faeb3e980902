// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package learn

import (
	"slices"
	"strconv"
)

// A condition is one of the language of markers: a path, or a comparison with a literal.
type condition struct {
	field                      *fieldPath
	elementPath, pathInElement string // the element of a list that it is on, and the path from there
	literal                    string
	isComparison               bool // or it asks whether the path is there and not empty
	isNegated                  bool
	acceptedStates             *[]string // of kind and group for to=: those that the field may have; nil for others
}

func newCondition(s *fieldPath) condition {
	c := condition{field: s}
	c.elementPath, c.pathInElement = splitAtElement(s.path)
	return c
}

// conditionText returns the condition as a marker has it. A condition on the element of a list begins with @.
func (c condition) conditionText() string {
	path, literal := c.field.path, c.literal
	if c.elementPath != "" {
		path = "@" + c.pathInElement
	}
	if c.field.jsonClass == textClass {
		literal = strconv.Quote(literal)
	}
	switch {
	case c.isComparison && c.isNegated:
		return path + "!=" + literal
	case c.isComparison:
		return path + "==" + literal
	case c.isNegated:
		return "!" + path
	}
	return path
}

// comparesWithEmpty reports whether the condition is that a text is empty, or that it is not.
func (c condition) comparesWithEmpty() bool { return c.isComparison && c.literal == "" }

// holdsForState reports whether the condition holds for a state of its field.
func (c condition) holdsForState(state string) bool {
	switch {
	case c.acceptedStates != nil:
		return slices.Contains(*c.acceptedStates, state)
	case state == stateAbsent:
		return c.isNegated
	case c.isComparison:
		return (state[1:] == c.literal) != c.isNegated
	}
	return (state != stateEmpty) != c.isNegated
}

// allConditionsHold reports whether all conditions hold for a sample.
func allConditionsHold(conds []condition, s *sample) bool {
	for i := range conds {
		if !conds[i].holdsForState(s.mentionedStatesIfKnown[conds[i].field.mentionedIndex]) {
			return false
		}
	}
	return true
}

// conditionsTrueFor returns the conditions that hold for a sample, in the order in which to drop them: those on lower
// fields imply that the ones above are there, and the most specific ones come first.
func (l *learner) conditionsTrueFor(of *sample) (out []condition) {
	for _, s := range slices.Backward(l.mentionedFields) {
		c := newCondition(s)
		add := func(equals, not bool, literal string) {
			if c.isComparison, c.isNegated, c.literal = equals, not, literal; c.holdsForState(of.mentionedStatesIfKnown[s.mentionedIndex]) && (s.path != objectNamespacePath || equals) {
				out = append(out, c)
			}
		}
		for _, not := range []bool{s.jsonClass == boolClass, s.jsonClass != boolClass} {
			for n, state := range s.candidateStates {
				unlike := n == 0 && s.jsonClass != boolClass
				if !unlike && state != stateAbsent && slices.Contains([]jsonClass{textClass, boolClass, numberClass}, s.jsonClass) && (s.canBeAbsent || state != stateEmpty) {
					add(true, not, state[1:])
				}
			}
		}
		if s.jsonClass == textClass || s.jsonClass == listClass || s.canBeAbsent && s.jsonClass != boolClass {
			add(false, false, "")
			add(false, true, "")
		}
	}
	return out
}
