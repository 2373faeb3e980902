// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"
	"strings"
)

// predicate is a condition under which a value has a key, and the opposite condition.
type predicate struct{ falseExpr, trueExpr string }

// isTrue returns the test that a boolean is true.
func isTrue(v string) *predicate { return &predicate{"!" + v, v} }

// isEqual returns the test that v has the value of code.
func isEqual(v, code string) *predicate { return &predicate{v + " != " + code, v + " == " + code} }

// isDifferent is the opposite of [isEqual].
func isDifferent(v, code string) *predicate { return isEqual(v, code).negated() }

func (t *predicate) negated() *predicate { return &predicate{t.trueExpr, t.falseExpr} }

// andWithoutRepeats returns the test that both hold. It omits one that is part of the other.
func (t *predicate) andWithoutRepeats(other *predicate) *predicate {
	switch {
	case slices.Contains(strings.Split(t.falseExpr, " || "), other.falseExpr):
		return t
	case slices.Contains(strings.Split(other.falseExpr, " || "), t.falseExpr):
		return other
	}
	return &predicate{t.falseExpr + " || " + other.falseExpr, t.trueExpr + " && " + other.trueExpr}
}

// statement is a line of an index function, a loop, or a guard: an if statement that skips values or
// nests the code for others. Statements are printed after all are known, so that guards can be shared and joined.
type statement struct {
	lineOrHead    string     // a loop: its head
	guard         *predicate // nil for other statements
	skipStatement string     // of a guard: what it does if the test fails; "" if body is nested in it
	body          []statement
}

func lineStatements(code ...string) (out []statement) {
	for _, line := range code {
		out = append(out, statement{lineOrHead: line})
	}
	return out
}

// emitSkipOrNest returns rest behind a guard, after the line of the variable that is tested, if there is one. If
// skip is "", rest is nested in the guard. A nil test holds: the variable is tested by the guard that rest begins with.
func emitSkipOrNest(line string, t *predicate, skip string, rest []statement) []statement {
	switch {
	case t == nil && line == "":
		return rest
	case t == nil && skip == "":
		return []statement{{lineOrHead: line, guard: rest[0].guard, body: rest[0].body}}
	case t == nil:
		return append(lineStatements(line), rest...)
	case skip == "":
		return []statement{{lineOrHead: line, guard: t, body: rest}}
	case line != "":
		return append([]statement{{lineOrHead: line}, {guard: t, skipStatement: skip}}, rest...)
	}
	return append([]statement{{guard: t, skipStatement: skip}}, rest...)
}

// shareGuards nests statements that follow each other behind equal guards in one guard. They declare no variable twice.
func shareGuards(body []statement) (out []statement) {
	for _, s := range body {
		if n := len(out) - 1; n >= 0 && s.guard != nil && s.skipStatement == "" && out[n].guard != nil &&
			s.lineOrHead == out[n].lineOrHead && *s.guard == *out[n].guard && !bothDeclareSameVariable(s.body, out[n].body) {
			out[n].body = append(slices.Clip(out[n].body), s.body...)
		} else {
			out = append(out, s)
		}
	}
	for i, s := range out {
		if s.guard != nil {
			out[i].body = shareGuards(s.body)
		}
	}
	return out
}

// bothDeclareSameVariable reports whether two blocks declare a variable of the same name.
func bothDeclareSameVariable(a, b []statement) bool {
	return slices.ContainsFunc(a, func(s statement) bool {
		name, _, declares := strings.Cut(s.lineOrHead, " := ")
		return declares && s.body == nil && slices.ContainsFunc(b, func(other statement) bool {
			return other.body == nil && strings.HasPrefix(other.lineOrHead, name+" := ")
		})
	})
}

// unnestGuards turns guards that have all statements nested into guards that skip.
func unnestGuards(body []statement, skip string) []statement {
	if len(body) != 1 || body[0].guard == nil {
		return body
	}
	return emitSkipOrNest(body[0].lineOrHead, body[0].guard, skip, unnestGuards(body[0].body, skip))
}

// joinGuards joins guards in a row.
func joinGuards(body []statement) []statement {
	if len(body) == 0 {
		return nil
	}
	s, rest := body[0], joinGuards(body[1:])
	s.body = joinGuards(s.body)
	switch {
	case s.skipStatement != "" && len(rest) > 0 && canJoinGuards(s, rest[0]):
		s.guard, rest = s.guard.andWithoutRepeats(rest[0].guard), rest[1:]
	case s.skipStatement == "" && len(s.body) == 1 && canJoinGuards(s, s.body[0]):
		s.guard, s.body = s.guard.andWithoutRepeats(s.body[0].guard), s.body[0].body
	}
	return append([]statement{s}, rest...)
}

// canJoinGuards reports whether two guards do the same, and their condition stays short.
func canJoinGuards(s, next statement) bool {
	return s.guard != nil && next.guard != nil && next.lineOrHead == "" && s.skipStatement == next.skipStatement &&
		printedCodeLength(s.guard.andWithoutRepeats(next.guard).falseExpr) <= expressionWidth
}

// printStatements prints statements.
func printStatements(body []statement) string {
	var out strings.Builder
	for _, s := range joinGuards(body) {
		switch {
		case s.guard == nil && s.body == nil:
			out.WriteString(s.lineOrHead + "\n")
			continue
		case s.guard == nil:
			out.WriteString(s.lineOrHead + " {\n")
		case s.skipStatement != "":
			out.WriteString("if " + s.guard.falseExpr + " {\n" + s.skipStatement + "\n")
		case s.lineOrHead != "":
			out.WriteString("if " + s.lineOrHead + "; " + s.guard.trueExpr + " {\n")
		default:
			out.WriteString("if " + s.guard.trueExpr + " {\n")
		}
		out.WriteString(printStatements(s.body) + "}\n")
	}
	return out.String()
}

// joinAndWrapTermsExpr prints terms with an operator between them, each on a line of its own if they are long.
func joinAndWrapTermsExpr(op string, terms []string) string {
	length := 0
	for _, term := range terms {
		length += printedCodeLength(term) + len(op) + 2
	}
	if length > expressionWidth {
		op += "\n"
	}
	return strings.Join(terms, " "+op+" ")
}
