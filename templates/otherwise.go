// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"maps"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// orElse prints the code for the rest of a path, and that for else= if the path has no value, or only empty strings.
// single reports whether it has at most one.
//
//	if d.Spec.Target != nil && d.Spec.Target.Name != "" {
//		return append(dst, d.Spec.Target.Name)
//	}
//	return append(dst, d.Name)
func (e *extractor) orElse(at place, single bool) []statement {
	source, other := *e.source, *e
	source.Parts, source.Else, source.OmitEmpty = []*model.Part{source.Else}, nil, false
	other.source, other.bound, other.checked = &source, maps.Clone(e.bound), maps.Clone(e.checked)
	skip := at.skip
	at.skip, at.replaced = "", true
	if single && skip != "" {
		e.leave = skip
		code := e.walk(at)
		if code[0].guard == nil {
			return code // a condition has tested the value
		}
		return append(code, other.path(place{skip: skip})...)
	}
	dst, n := e.ix.Result, e.source.CountVar
	none, instead := is("len("+dst+") == "+n), other.path(place{})
	if e.source.Replaces() {
		none = is(fmt.Sprintf(`!«slices».ContainsFunc(%s[%s:], func(value %s) bool { return value != "" })`,
			dst, n, goType(e.ix.Value)))
		instead = append(lines(dst+" = "+dst+"[:"+n+"]"), instead...)
	}
	code := append(lines(n+" := len("+dst+")"), e.walk(at)...)
	return append(code, statement{guard: none, body: instead})
}
