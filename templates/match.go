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
	done := start + "?" + s.Name
	if e.checked[done] {
		return e.walk(at.on(at.value))
	}
	e.checked[done] = true
	var tests []*test
	for _, c := range s.Conditions {
		tests = append(tests, e.condition(c, at.value, start)...)
	}
	if s.Conditions == nil {
		tests = e.kind(at.value.code, start, part, s)
	}
	rest := e.walk(at.on(at.value))
	return behind(tests, at.skip, rest)
}

// behind returns rest behind guards for all tests.
func behind(tests []*test, skip string, rest []statement) []statement {
	for _, one := range slices.Backward(tests) {
		rest = guarded("", one, skip, rest)
	}
	return rest
}

// condition returns tests that v, whose path is prefix, satisfies a condition.
func (e *extractor) condition(c *model.Condition, v value, prefix string) (set []*test) {
	for _, step := range c.Steps {
		if step.Op == model.Lookup {
			v.code, prefix = v.index(strconv.Quote(step.Name)), prefix+step.Text
		} else {
			v.code, prefix = v.code+"."+step.Name, prefix+"."+step.Name
		}
		if v.pointer = step.Pointer; v.pointer && (c.Negated || !e.checked[prefix]) {
			set = append(set, differs(v.code, "nil"))
			e.checked[prefix] = e.checked[prefix] || !c.Negated && step.Op == model.Field
		}
	}
	field := v.followed()
	switch {
	case c.Sized:
		set = append(set, differs("len("+field+")", "0"))
	case c.Literal == "" && c.Basic == model.StringBasic:
		set = append(set, differs(field, `""`))
	case c.Literal == "true":
		set = append(set, is(field))
	case c.Literal == "false":
		set = append(set, is(field).not())
	case c.Literal != "":
		set = append(set, equals(field, c.Literal))
	}
	if !c.Negated {
		return set
	}
	all := set[0]
	for _, one := range set[1:] {
		all = all.and(one)
	}
	if len(set) > 1 {
		all.fails = "(" + all.fails + ")"
	}
	return []*test{all.not()}
}

// kind returns the tests that a reference v is of the kind or group of a step.
func (e *extractor) kind(v, prefix string, part *model.Part, s *model.Step) (tests []*test) {
	selected, path := v, prefix
	for _, step := range append(slices.Clone(s.Through), s) {
		selected, path = selected+"."+step.Name, path+"."+step.Name
		needed := !s.Absent || strings.HasPrefix(part.Prefix(len(part.Steps)-1), path+".")
		if step.Pointer && needed && !e.checked[path] {
			e.checked[path] = true
			tests = append(tests, differs(selected, "nil"))
		}
	}
	return append(tests, e.accepts(v, prefix, s))
}

// accepts returns the test that the kind or group of a reference v is one of the values of the step, or is absent
// or empty and so means one. prefix is the path of v.
//
//	ref.Kind == nil || *ref.Kind == "" || *ref.Kind == "Gateway"
func (e *extractor) accepts(v, prefix string, s *model.Step) *test {
	var fails, holds []string
	add := func(t *test) { fails, holds = append(fails, t.fails), append(holds, t.holds) }
	for _, step := range append(slices.Clone(s.Through), s) {
		v, prefix = v+"."+step.Name, prefix+"."+step.Name
		if step.Pointer && s.Absent && !e.checked[prefix] {
			add(equals(v, "nil"))
		}
	}
	field := value{code: v, pointer: s.Pointer}.followed()
	if s.GroupVersion {
		if s.Named {
			field = "string(" + field + ")"
		}
		add(e.ofGroup(field, s))
	} else {
		if s.Empty {
			add(equals(field, `""`))
		}
		for _, accepted := range s.Values {
			add(equals(field, strconv.Quote(accepted)))
		}
	}
	return &test{joined("&&", fails), "(" + joined("||", holds) + ")"}
}

// ofGroup returns the test that an apiVersion is of the group of the step. The core group has no slash before its
// version, or an empty name.
func (e *extractor) ofGroup(field string, s *model.Step) *test {
	group, empty := s.Values[0], equals(field, `""`)
	var t *test
	if group == "" {
		t = is(`«strings».Contains(«strings».TrimPrefix(` + field + `, "/"), "/")`).not()
		if s.Empty {
			return t
		}
		return &test{"(" + empty.holds + " || " + t.fails + ")", empty.fails + " && " + t.holds}
	}
	t = is("«strings».HasPrefix(" + field + ", " + strconv.Quote(group+"/") + ")").
		and(equals("«strings».Count("+field+`, "/")`, "1"))
	t.fails = "(" + t.fails + ")"
	if s.Empty {
		return &test{empty.fails + " && " + t.fails, empty.holds + " || " + t.holds}
	}
	return t
}
