// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"
	"strings"
)

// test is a condition under which a value has a key, and the opposite condition.
type test struct{ fails, holds string }

// is returns the test that a boolean is true.
func is(v string) *test { return &test{"!" + v, v} }

// equals returns the test that v has the value of code.
func equals(v, code string) *test { return &test{v + " != " + code, v + " == " + code} }

// differs is the opposite of [equals].
func differs(v, code string) *test { return equals(v, code).not() }

func (t *test) not() *test { return &test{t.holds, t.fails} }

// and returns the test that both hold. It omits one that is part of the other.
func (t *test) and(other *test) *test {
	switch {
	case slices.Contains(strings.Split(t.fails, " || "), other.fails):
		return t
	case slices.Contains(strings.Split(other.fails, " || "), t.fails):
		return other
	}
	return &test{t.fails + " || " + other.fails, t.holds + " && " + other.holds}
}

// statement is a line of an index function, a loop, or a guard: an if statement that skips values or
// nests the code for others. Statements are printed after all are known, so that guards can be joined.
type statement struct {
	line  string // a loop: its head
	guard *test  // nil for other statements
	skip  string // of a guard: what it does if the test fails; "" if body is nested in it
	body  []statement
}

func lines(code ...string) (out []statement) {
	for _, line := range code {
		out = append(out, statement{line: line})
	}
	return out
}

// guarded returns rest behind a guard, after the line of the variable that is tested, if there is one. If
// skip is "", rest is nested in the guard. It joins two guards in a row if the condition stays short. A nil
// test holds.
func guarded(line string, t *test, skip string, rest []statement) []statement {
	if t == nil && line == "" {
		return rest
	}
	if t == nil && skip != "" {
		return append(lines(line), rest...)
	}
	if inner := rest[0]; inner.guard != nil && inner.line == "" && inner.skip == skip {
		both := inner.guard
		if t != nil {
			both = t.and(inner.guard)
		}
		if t == nil || width(both.fails) <= expressionWidth {
			t, rest = both, rest[1:]
			if skip == "" {
				rest = inner.body
			}
		}
	}
	if skip == "" {
		return []statement{{line: line, guard: t, body: rest}}
	}
	if line != "" {
		return append([]statement{{line: line}, {guard: t, skip: skip}}, rest...)
	}
	return append([]statement{{guard: t, skip: skip}}, rest...)
}

// printed prints statements.
func printed(body []statement) string {
	var out strings.Builder
	for _, s := range body {
		switch {
		case s.guard == nil && s.body == nil:
			out.WriteString(s.line + "\n")
			continue
		case s.guard == nil:
			out.WriteString(s.line + " {\n")
		case s.skip != "":
			out.WriteString("if " + s.guard.fails + " {\n" + s.skip + "\n")
		case s.line != "":
			out.WriteString("if " + s.line + "; " + s.guard.holds + " {\n")
		default:
			out.WriteString("if " + s.guard.holds + " {\n")
		}
		out.WriteString(printed(s.body) + "}\n")
	}
	return out.String()
}

// joined prints terms with an operator between them, each on a line of its own if they are long.
func joined(op string, terms []string) string {
	length := 0
	for _, term := range terms {
		length += width(term) + len(op) + 2
	}
	if length > expressionWidth {
		op += "\n"
	}
	return strings.Join(terms, " "+op+" ")
}
