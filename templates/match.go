// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// emitRestBehindFilter prints the condition of a filter, or of a field of a struct that refers, and the code after it.
func (e *indexFuncEmitter) emitRestBehindFilter(at pathPosition, s *model.Step) []statement {
	part := e.unionSource.Parts[at.partIndex]
	start := part.Prefix(at.nextStepIndex)
	done := start + "?"
	if e.testedPrefixes[done] {
		return e.emitFromStep(at.afterStep(at.value))
	}
	e.testedPrefixes[done] = true
	var tests []*predicate
	for _, c := range s.Conditions {
		tests = append(tests, e.conditionTests(c, at.value, start)...)
	}
	return emitBehindTests(tests, at.skipUnlessNested, e.emitFromStep(at.afterStep(at.value)))
}

// emitBehindTests returns rest behind guards for all tests.
func emitBehindTests(tests []*predicate, skip string, rest []statement) []statement {
	for _, one := range slices.Backward(tests) {
		rest = emitSkipOrNest("", one, skip, rest)
	}
	return rest
}

// conditionTests returns tests that v, whose path is prefix, satisfies a condition. The last one may be that of several
// alternatives, of which an absent field may be one:
//
//	ref.Kind == nil || *ref.Kind == "" || *ref.Kind == "Gateway"
func (e *indexFuncEmitter) conditionTests(c *model.Condition, v pathValue, prefix string) (tests []*predicate) {
	var alternatives []*predicate
	for _, step := range c.Steps {
		if step.Op == model.Lookup {
			v.expr, prefix = v.elementExpr(strconv.Quote(step.Name)), prefix+step.Text
		} else {
			v.expr, prefix = v.expr+"."+step.Name, prefix+"."+step.Name
		}
		v.isPointer = step.Pointer
		switch {
		case !v.isPointer || !c.Negated && e.testedPrefixes[prefix]:
		case c.Negated, c.Absent && !e.firstPathLeadsThrough(prefix):
			alternatives = append(alternatives, isEqual(v.expr, "nil"))
		default:
			tests = append(tests, isDifferent(v.expr, "nil"))
			e.testedPrefixes[prefix] = e.testedPrefixes[prefix] || step.Op == model.Field
		}
	}
	field := v.dereferencedExpr()
	var one *predicate
	switch {
	case c.GroupVersion:
		alternatives = append(alternatives, groupVersionTest(stringExpr(field, c.Named), c))
	case c.Values != nil:
		if c.Empty {
			alternatives = append(alternatives, isEqual(field, `""`))
		}
		for _, accepted := range c.Values {
			alternatives = append(alternatives, isEqual(field, strconv.Quote(accepted)))
		}
	case c.Sized:
		one = isDifferent("len("+field+")", "0")
	case c.Literal == "" && c.Basic == model.StringBasic:
		one = isDifferent(field, `""`)
	case c.Literal == "true":
		one = isTrue(field)
	case c.Literal == "false":
		one = isTrue(field).negated()
	case c.Literal != "":
		one = isEqual(field, c.Literal)
	}
	if one != nil && c.Negated {
		alternatives = append(alternatives, one.negated())
	} else if one != nil {
		tests = append(tests, one)
	}
	if len(alternatives) < 2 {
		return append(tests, alternatives...)
	}
	var fails, holds []string
	for _, t := range alternatives {
		fails, holds = append(fails, t.falseExpr), append(holds, t.trueExpr)
	}
	return append(tests, &predicate{joinAndWrapTermsExpr("&&", fails), "(" + joinAndWrapTermsExpr("||", holds) + ")"})
}

// firstPathLeadsThrough reports whether the path of the source leads through the field with a prefix, so that it is not
// absent where there is a value.
func (e *indexFuncEmitter) firstPathLeadsThrough(prefix string) bool {
	part := e.unionSource.Parts[0]
	return strings.HasPrefix(part.Prefix(len(part.Steps)-1), prefix+".")
}

// groupVersionTest returns the test that an apiVersion is of the group of a condition. The core group has no slash
// before its version, or an empty name.
func groupVersionTest(field string, c *model.Condition) *predicate {
	group, empty := c.Values[0], isEqual(field, `""`)
	var t *predicate
	if group == "" {
		t = isTrue(`«strings».Contains(«strings».TrimPrefix(` + field + `, "/"), "/")`).negated()
		if c.Empty {
			return t
		}
		return &predicate{"(" + empty.trueExpr + " || " + t.falseExpr + ")", empty.falseExpr + " && " + t.trueExpr}
	}
	t = isTrue("«strings».HasPrefix(" + field + ", " + strconv.Quote(group+"/") + ")").
		andWithoutRepeats(isEqual("«strings».Count("+field+`, "/")`, "1"))
	t.falseExpr = "(" + t.falseExpr + ")"
	if c.Empty {
		return &predicate{empty.falseExpr + " && " + t.falseExpr, empty.trueExpr + " || " + t.trueExpr}
	}
	return t
}
