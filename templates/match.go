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
	done, prefix, selected := start+"?"+s.Name, start, at.value.code
	if e.checked[done] {
		return e.walk(at.on(at.value))
	}
	e.checked[done] = true
	var set []*test
	for _, step := range append(slices.Clone(s.Through), s) {
		selected, prefix = selected+"."+step.Name, prefix+"."+step.Name
		needed := !s.Absent || strings.HasPrefix(part.Prefix(len(part.Steps)-1), prefix+".")
		if step.Pointer && needed && !e.checked[prefix] {
			e.checked[prefix] = true
			set = append(set, differs(selected, "nil"))
		}
	}
	field := value{code: selected, pointer: s.Pointer}.followed()
	matches := equals(field, strconv.Quote(s.Values[0]))
	switch {
	case s.Optional:
		matches = e.accepts(at.value.code, start, s)
	case s.Boolean && s.Values[0] == "true":
		matches = is(field)
	case s.Boolean:
		matches = is(field).not()
	}
	rest := guarded("", matches, at.skip, e.walk(at.on(at.value)))
	for _, one := range slices.Backward(set) {
		rest = guarded("", one, at.skip, rest)
	}
	return rest
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
