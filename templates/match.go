// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// match prints the condition of a filter, or of a field of a struct that refers, and the code after it.
func (e *extractor) match(at place, s *model.Step) []statement {
	prefix := e.source.Parts[at.part].Prefix(at.step)
	done := prefix + "?" + s.Name
	if e.checked[done] {
		return e.walk(at.on(at.value))
	}
	e.checked[done] = true
	if s.Optional {
		return guarded("", optional(at.value.code, s), at.skip, e.walk(at.on(at.value)))
	}
	selected := at.value.code
	var set []*test
	for _, step := range append(slices.Clone(s.Through), s) {
		selected, prefix = selected+"."+step.Name, prefix+"."+step.Name
		if step.Pointer && !e.checked[prefix] {
			e.checked[prefix] = true
			set = append(set, differs(selected, "nil"))
		}
	}
	field := value{code: selected, pointer: s.Pointer}.followed()
	matches := equals(field, strconv.Quote(s.Values[0]))
	if s.Boolean {
		if matches = is(field); s.Values[0] != "true" {
			matches = matches.not()
		}
	}
	rest := guarded("", matches, at.skip, e.walk(at.on(at.value)))
	for _, one := range slices.Backward(set) {
		rest = guarded("", one, at.skip, rest)
	}
	return rest
}

// optional returns the test that a field of v is absent, empty or one of the values of the step.
//
//	ref.Kind == nil || *ref.Kind == "" || *ref.Kind == "Gateway"
func optional(v string, s *model.Step) *test {
	var fails, holds []string
	add := func(t *test) { fails, holds = append(fails, t.fails), append(holds, t.holds) }
	for _, step := range append(slices.Clone(s.Through), s) {
		v += "." + step.Name
		if step.Pointer {
			add(equals(v, "nil"))
		}
	}
	field := value{code: v, pointer: s.Pointer}.followed()
	if s.GroupVersion {
		if s.Named {
			field = "string(" + field + ")"
		}
		add(is("«strings».Contains(" + field + `, "/")`).not())
		add(is("«strings».HasPrefix(" + field + ", " + strconv.Quote(s.Values[0]+"/") + ")"))
	} else {
		add(equals(field, `""`))
		for _, accepted := range s.Values {
			add(equals(field, strconv.Quote(accepted)))
		}
	}
	return &test{joined("&&", fails), "(" + joined("||", holds) + ")"}
}
