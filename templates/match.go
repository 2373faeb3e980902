// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// match prints the condition of a filter, or of a field of a struct that refers, and the code after it.
func (e *extractor) match(at place, s *model.Step) []jen.Code {
	prefix := e.source.Parts[at.part].Prefix(at.step)
	done := prefix + "?" + s.Name
	if e.checked[done] {
		return e.walk(at.on(at.value))
	}
	e.checked[done] = true
	if s.Optional {
		return e.guarded(optional(at.value.code, s), at.skip, e.walk(at.on(at.value)))
	}
	selected := at.value.code
	var set []*test
	for _, outer := range s.Through {
		selected, prefix = selected.Clone().Dot(outer.Name), prefix+"."+outer.Name
		if outer.Pointer && !e.checked[prefix] {
			e.checked[prefix] = true
			set = append(set, isSet(selected))
		}
	}
	selected, prefix = selected.Clone().Dot(s.Name), prefix+"."+s.Name
	if s.Pointer {
		e.checked[prefix] = true
		set = append(set, isSet(selected))
	}
	field := value{code: selected, pointer: s.Pointer}.followed()
	var matches *test
	switch {
	case s.Boolean && s.Values[0] == "true":
		matches = &test{jen.Op("!").Add(field), field}
	case s.Boolean:
		matches = &test{field, jen.Op("!").Add(field)}
	default:
		matches = compares(field, jen.Lit(s.Values[0]))
	}
	rest := e.guarded(matches, at.skip, e.walk(at.on(at.value)))
	for _, one := range slices.Backward(set) {
		rest = e.guarded(one, at.skip, rest)
	}
	return rest
}

// optional returns the test that a field of v is absent, empty or one of the values of the step.
//
//	ref.Kind == nil || *ref.Kind == "" || *ref.Kind == "Gateway"
func optional(v *jen.Statement, s *model.Step) *test {
	var fails, holds []*jen.Statement
	add := func(t *test) { fails, holds = append(fails, t.fails), append(holds, t.holds) }
	for _, outer := range append(slices.Clone(s.Through), s) {
		v = v.Clone().Dot(outer.Name)
		if outer.Pointer {
			add(compares(v, jen.Nil()))
		}
	}
	field := value{code: v, pointer: s.Pointer}.followed()
	if s.GroupVersion {
		if s.Named {
			field = jen.String().Call(field)
		}
		versioned := jen.Qual(model.Text, "Contains").Call(field, jen.Lit("/"))
		add(&test{versioned.Clone(), jen.Op("!").Add(versioned)})
		prefix := jen.Qual(model.Text, "HasPrefix").Call(field.Clone(), jen.Lit(s.Values[0]+"/"))
		add(&test{jen.Op("!").Add(prefix), prefix.Clone()})
	} else {
		add(compares(field, jen.Lit("")))
		for _, accepted := range s.Values {
			add(compares(field, jen.Lit(accepted)))
		}
	}
	return &test{joined("&&", fails), jen.Parens(joined("||", holds))}
}
