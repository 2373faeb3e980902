// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"
)

// test is a condition under which a value has no key, and the opposite condition.
type test struct{ fails, holds *jen.Statement }

// compares returns the test that v has the value of code.
func compares(v, code *jen.Statement) *test {
	return &test{v.Clone().Op("!=").Add(code), v.Clone().Op("==").Add(code)}
}

// differs is the opposite of [compares].
func differs(v, code *jen.Statement) *test { return compares(v, code).not() }

// isSet returns the test that the pointer v is not nil.
func isSet(v *jen.Statement) *test { return differs(v, jen.Nil()) }

func (t *test) not() *test { return &test{t.holds, t.fails} }

// and returns the test that both hold.
func (t *test) and(other *test) *test {
	return &test{t.fails.Clone().Op("||").Add(other.fails), t.holds.Clone().Op("&&").Add(other.holds)}
}

// guard is a printed test, with the code that it guards if that is nested in it.
type guard struct {
	test   *test
	before jen.Code // the statement of the variable that it tests, or nil
	nested []jen.Code
}

// guarded prints rest, for values that satisfy the test. If skip is nil, it nests rest in an if statement.
// Otherwise it prints skip before rest, for values that do not satisfy the test. It joins two tests in a row
// if the condition stays short.
func (e *extractor) guarded(t *test, skip jen.Code, rest []jen.Code) []jen.Code {
	return e.guardedAfter(nil, t, skip, rest)
}

// guardedAfter is guarded, after the statement of the variable that is tested. A nil test holds.
func (e *extractor) guardedAfter(before jen.Code, t *test, skip jen.Code, rest []jen.Code) []jen.Code {
	var inner *guard
	if len(rest) > 0 {
		inner = e.guards[rest[0]]
	}
	switch {
	case t == nil && before == nil:
		return rest
	case t == nil && skip != nil:
		return append([]jen.Code{before}, rest...)
	case inner != nil && inner.before == nil && (t == nil || short(t.and(inner.test))):
		both := inner.test
		if t != nil {
			both = t.and(inner.test)
		}
		t = both
		if skip == nil {
			rest = inner.nested
		} else {
			rest = rest[1:]
		}
	}
	g := &guard{test: t, before: before}
	if skip == nil {
		g.nested = rest
		conditions := []jen.Code{t.holds.Clone()}
		if before != nil {
			conditions = []jen.Code{before, t.holds.Clone()}
		}
		printed := jen.If(conditions...).Block(rest...)
		e.guards[printed] = g
		return []jen.Code{printed}
	}
	printed := jen.If(t.fails.Clone()).Block(skip)
	if before != nil {
		return append([]jen.Code{before, printed}, rest...)
	}
	e.guards[printed] = g
	return append([]jen.Code{printed}, rest...)
}

func short(t *test) bool { return len(t.fails.GoString()) <= expressionWidth }

// joined prints terms with an operator between them, each on a line of its own if they are long.
func joined(op string, terms []*jen.Statement) *jen.Statement {
	length := 0
	for _, term := range terms {
		length += len(term.GoString()) + len(op) + 2
	}
	out := terms[0].Clone()
	for _, term := range terms[1:] {
		out = out.Op(op)
		if length > expressionWidth {
			out = out.Line()
		}
		out = out.Add(term)
	}
	return out
}
