// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// match prints the condition of a filter, or of a field of a struct that refers, and the code after it.
func (e *extractor) match(at place, s *model.Step) []statement {
	part := e.source.Parts[at.part]
	start := part.Prefix(at.step)
	done := start + "?"
	if e.checked[done] {
		return e.walk(at.on(at.value))
	}
	e.checked[done] = true
	var tests []*test
	for _, c := range s.Conditions {
		tests = append(tests, e.condition(c, at.value, start)...)
	}
	return behind(tests, at.skip, e.walk(at.on(at.value)))
}

// behind returns rest behind guards for all tests.
func behind(tests []*test, skip string, rest []statement) []statement {
	for _, one := range slices.Backward(tests) {
		rest = guarded("", one, skip, rest)
	}
	return rest
}

// condition returns tests that v, whose path is prefix, satisfies a condition. The last one may be that of several
// alternatives, of which an absent field may be one:
//
//	ref.Kind == nil || *ref.Kind == "" || *ref.Kind == "Gateway"
func (e *extractor) condition(c *model.Condition, v value, prefix string) (tests []*test) {
	var alternatives []*test
	for _, step := range c.Steps {
		if step.Op == model.Lookup {
			v.code, prefix = v.index(strconv.Quote(step.Name)), prefix+step.Text
		} else {
			v.code, prefix = v.code+"."+step.Name, prefix+"."+step.Name
		}
		v.pointer = step.Pointer
		switch {
		case !v.pointer || !c.Negated && e.checked[prefix]:
		case c.Negated, c.Absent && !e.leadsThrough(prefix):
			alternatives = append(alternatives, equals(v.code, "nil"))
		default:
			tests = append(tests, differs(v.code, "nil"))
			e.checked[prefix] = e.checked[prefix] || step.Op == model.Field
		}
	}
	field := v.followed()
	var one *test
	switch {
	case c.GroupVersion:
		alternatives = append(alternatives, ofGroup(text(field, c.Named), c))
	case c.Values != nil:
		if c.Empty {
			alternatives = append(alternatives, equals(field, `""`))
		}
		for _, accepted := range c.Values {
			alternatives = append(alternatives, equals(field, strconv.Quote(accepted)))
		}
	case c.Sized:
		one = differs("len("+field+")", "0")
	case c.Literal == "" && c.Basic == model.StringBasic:
		one = differs(field, `""`)
	case c.Literal == "true":
		one = is(field)
	case c.Literal == "false":
		one = is(field).not()
	case c.Literal != "":
		one = equals(field, c.Literal)
	}
	if one != nil && c.Negated {
		alternatives = append(alternatives, one.not())
	} else if one != nil {
		tests = append(tests, one)
	}
	if len(alternatives) < 2 {
		return append(tests, alternatives...)
	}
	var fails, holds []string
	for _, t := range alternatives {
		fails, holds = append(fails, t.fails), append(holds, t.holds)
	}
	return append(tests, &test{joined("&&", fails), "(" + joined("||", holds) + ")"})
}

// leadsThrough reports whether the path of the source leads through the field with a prefix, so that it is not
// absent where there is a value.
func (e *extractor) leadsThrough(prefix string) bool {
	part := e.source.Parts[0]
	return strings.HasPrefix(part.Prefix(len(part.Steps)-1), prefix+".")
}

// ofGroup returns the test that an apiVersion is of the group of a condition. The core group has no slash before its
// version, or an empty name.
func ofGroup(field string, c *model.Condition) *test {
	group, empty := c.Values[0], equals(field, `""`)
	var t *test
	if group == "" {
		t = is(`«strings».Contains(«strings».TrimPrefix(` + field + `, "/"), "/")`).not()
		if c.Empty {
			return t
		}
		return &test{"(" + empty.holds + " || " + t.fails + ")", empty.fails + " && " + t.holds}
	}
	t = is("«strings».HasPrefix(" + field + ", " + strconv.Quote(group+"/") + ")").
		and(equals("«strings».Count("+field+`, "/")`, "1"))
	t.fails = "(" + t.fails + ")"
	if c.Empty {
		return &test{empty.fails + " && " + t.fails, empty.holds + " || " + t.holds}
	}
	return t
}
