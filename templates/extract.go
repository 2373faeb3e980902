// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// extractors declares the index functions.
//
//	func IndexDeviceByFirmware(dst []string, d *Device) []string {
//		if d.Spec.Firmware == nil {
//			return dst
//		}
//		return append(dst, d.Spec.Firmware.Version)
//	}
func extractors(f *jen.File, t *model.Type) {
	for _, ix := range t.Indexes {
		var body []jen.Code
		switch {
		case ix.Func == "":
			continue
		case ix.Kind == model.Funcs:
			body = function(t, ix)
		default:
			body = newExtractor(t, ix).body()
		}
		declare(f, fmt.Sprintf("%s appends %s to %s.", ix.Func, values(t, ix), ix.Result),
			jen.Func().Id(ix.Func).Params(
				jen.Id(ix.Result).Index().Add(goType(ix.Value)),
				jen.Id(t.ObjectParam).Add(object(t)),
			).Index().Add(goType(ix.Value)).Block(body...))
	}
}

// extractor prints the body of one index function. It follows the paths one after the
// other. Each path is nested in the loops of the paths before it, so that several
// multi-valued paths yield every combination. Paths that share a loop share its code.
type extractor struct {
	ix         *model.Index
	object     value            // the parameter
	namespaced bool             // the type is namespaced
	bound      map[string]value // by prefix: elements and map values that have a variable
	// by prefix: pointers already tested for nil, and filters already tested
	checked map[string]bool
	guards  map[jen.Code]*jen.Statement // the conditions of the if statements printed so far
	looped  bool                        // a loop has been printed
}

func newExtractor(t *model.Type, ix *model.Index) *extractor {
	return &extractor{
		ix: ix, object: value{code: jen.Id(t.ObjectParam)}, namespaced: t.Namespaced,
		bound: map[string]value{}, checked: map[string]bool{}, guards: map[jen.Code]*jen.Statement{},
	}
}

// value is an expression along a path.
type value struct {
	code    *jen.Statement
	pointer bool
}

func (v value) followed() *jen.Statement {
	if v.pointer {
		return jen.Op("*").Add(v.code.Clone())
	}
	return v.code.Clone()
}

// index prints the list element or map value v[i].
func (v value) index(i jen.Code) *jen.Statement {
	if v.pointer {
		return jen.Parens(v.followed()).Index(i)
	}
	return v.code.Clone().Index(i)
}

// place is a position along the paths of an index.
type place struct {
	part  int        // the index of the path
	step  int        // the index of the next step
	value value      // the value reached so far
	done  []jen.Code // the keys of the previous paths
	skip  jen.Code   // continues the innermost loop, or returns
}

// on returns the place after the next step, which leads to v.
func (at place) on(v value) place {
	at.step++
	at.value = v
	return at
}

func (e *extractor) body() []jen.Code {
	body := e.path(place{skip: jen.Return(jen.Id(e.ix.Result))})
	if e.looped {
		body = append(body, jen.Return(jen.Id(e.ix.Result)))
	}
	return body
}

// path prints the code for a path and all later ones.
func (e *extractor) path(at place) []jen.Code {
	switch {
	case at.part < len(e.ix.Parts):
		at.step, at.value = 0, e.object
		return e.walk(at)
	case e.ix.Kind == model.Refs:
		return e.reference(at)
	}
	return []jen.Code{e.result(at.done)}
}

// walk prints the code for the rest of a path and all later ones.
func (e *extractor) walk(at place) []jen.Code {
	part := e.ix.Parts[at.part]
	if at.step == len(part.Steps) {
		return e.end(at)
	}
	s := part.Steps[at.step]
	known, isKnown := e.bound[part.Prefix(at.step)]
	switch {
	case s.Op == model.Match:
		return e.match(at, s)
	case isKnown:
		return e.walk(at.on(known))
	case s.Op == model.Field:
		return e.behind(at, value{code: at.value.code.Clone().Dot(s.Name), pointer: s.Pointer})
	case e.spreads(part, at.step):
		return []jen.Code{e.add(at.value.followed().Op("..."))}
	}
	variable := jen.Id(s.Var)
	next := value{code: jen.Add(variable), pointer: s.Pointer || s.Counter != ""}
	e.bound[part.Prefix(at.step)] = next
	if s.Op == model.Lookup {
		return e.lookup(at, s, next)
	}
	return e.loop(at, s, next, variable)
}

// behind prints the code after a step that leads to next. A nil next has no value.
func (e *extractor) behind(at place, next value) []jen.Code {
	unset := e.check(at, next)
	return e.guarded(unset, at.skip, e.walk(at.on(next)))
}

// end prints the code for the later paths, once the value of a path is reached.
func (e *extractor) end(at place) []jen.Code {
	part := e.ix.Parts[at.part]
	rest := e.path(place{part: at.part + 1, done: append(at.done, at.value.key(part)), skip: at.skip})
	if part.Convert != nil && part.Convert.Unset {
		return e.guarded(at.value.unset(), at.skip, rest)
	}
	return rest
}

// match prints the condition of a filter and the code after it. An element is skipped if
// its field is nil or behind a nil pointer.
func (e *extractor) match(at place, s *model.Step) []jen.Code {
	prefix := e.ix.Parts[at.part].Prefix(at.step)
	if e.checked[prefix+"?"] {
		return e.walk(at.on(at.value))
	}
	e.checked[prefix+"?"] = true
	selected := at.value.code
	var unset []*jen.Statement
	for _, embedded := range s.Through {
		selected, prefix = selected.Clone().Dot(embedded.Name), prefix+"."+embedded.Name
		if embedded.Pointer && !e.checked[prefix] {
			e.checked[prefix] = true
			unset = append(unset, selected.Clone().Op("==").Nil())
		}
	}
	selected, prefix = selected.Clone().Dot(s.Name), prefix+"."+s.Name
	if s.Pointer {
		e.checked[prefix] = true
		unset = append(unset, selected.Clone().Op("==").Nil())
	}
	field := value{code: selected, pointer: s.Pointer}
	rest := e.guarded(field.followed().Op("!=").Lit(s.Value), at.skip, e.walk(at.on(at.value)))
	for _, one := range slices.Backward(unset) {
		rest = e.guarded(one, at.skip, rest)
	}
	return rest
}

// lookup prints the lookup of a map value and the code after it.
func (e *extractor) lookup(at place, s *model.Step, next value) []jen.Code {
	part, found := e.ix.Parts[at.part], at.value.index(jen.Lit(s.Name))
	last := at.step == len(part.Steps)-1
	if s.Pointer || last && (e.ix.Kind == model.Refs || part.Convert != nil && part.Convert.Unset) {
		// Nil, empty and unset values are skipped, present or not.
		bare := jen.Id(s.Var).Op(":=").Add(found)
		return append([]jen.Code{bare}, e.behind(at, next)...)
	}
	find := jen.List(jen.Id(s.Var), jen.Id("ok")).Op(":=").Add(found)
	missing := jen.Op("!").Id("ok")
	return append([]jen.Code{find}, e.guarded(missing, at.skip, e.walk(at.on(next)))...)
}

// loop prints a loop over a list or map with the code after it as its body. A struct that
// the body uses only once needs no variable.
func (e *extractor) loop(at place, s *model.Step, next value, variable *jen.Statement) []jen.Code {
	e.looped = true
	at.skip = jen.Continue()
	all := jen.Range().Add(at.value.followed())
	if s.Counter == "" {
		return []jen.Code{
			jen.For(jen.List(jen.Id("_"), jen.Id(s.Var)).Op(":=").Add(all)).Block(e.behind(at, next)...)}
	}
	element, body := at.value.index(jen.Id(s.Counter)), e.behind(at, next)
	if uses(s.Var, body) == 1 {
		*variable = *element
	} else {
		body = append([]jen.Code{jen.Id(s.Var).Op(":=").Op("&").Add(element)}, body...)
	}
	return []jen.Code{jen.For(jen.Id(s.Counter).Op(":=").Add(all)).Block(body...)}
}

// uses counts how often name occurs in the body. A string that contains it counts too.
func uses(name string, body []jen.Code) int {
	source := jen.Func().Id("_").Params().Block(body...).GoString()
	return len(regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).FindAllString(source, -1))
}

// check prints the condition that the pointer after the next step is nil. It returns nil if
// the pointer was tested before, or if IsZero will be called on it.
func (e *extractor) check(at place, v value) *jen.Statement {
	part := e.ix.Parts[at.part]
	prefix, last := part.Prefix(at.step), at.step == len(part.Steps)-1
	if !part.Steps[at.step].Pointer || e.checked[prefix] ||
		last && part.Convert != nil && part.Convert.NilSafe {
		return nil
	}
	e.checked[prefix] = true
	return v.code.Clone().Op("==").Nil()
}

// spreads reports whether the i-th step ends a plain index of unconverted list elements.
func (e *extractor) spreads(part *model.Part, i int) bool {
	s := part.Steps[i]
	return len(e.ix.Parts) == 1 && i == len(part.Steps)-1 && s.Op == model.Each && !s.Pointer &&
		part.Convert == nil &&
		e.ix.Kind == model.Paths
}

// guarded prints rest after an if statement that skips values without a key. It joins two
// if statements in a row if the condition stays short.
func (e *extractor) guarded(cond *jen.Statement, skip jen.Code, rest []jen.Code) []jen.Code {
	if cond == nil {
		return rest
	}
	if len(rest) > 0 && e.guards[rest[0]] != nil {
		both := cond.Clone().Op("||").Add(e.guards[rest[0]])
		if len(both.GoString()) <= expressionWidth {
			cond, rest = both, rest[1:]
		}
	}
	test := jen.If(cond.Clone()).Block(skip)
	e.guards[test] = cond
	return append([]jen.Code{test}, rest...)
}

// result prints the append of the values of all paths as one key.
func (e *extractor) result(values []jen.Code) jen.Code {
	if !e.ix.Composite() {
		return e.add(values[0])
	}
	var parts []jen.Code
	for i, p := range e.ix.Parts {
		parts = append(parts, jen.Id(p.Field), values[i])
	}
	return e.add(literal(goType(e.ix.Value), parts...))
}

// add prints the append of v to the result. Outside of loops it returns.
func (e *extractor) add(v jen.Code) jen.Code {
	more := jen.Append(jen.Id(e.ix.Result), v)
	if e.looped {
		return jen.Id(e.ix.Result).Op("=").Add(more)
	}
	return jen.Return(more)
}
