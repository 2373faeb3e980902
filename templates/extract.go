// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"regexp"

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
func extractors(f *jen.File, p *model.Package, t *model.Type) {
	for _, ix := range t.Indexes {
		if ix.Func == "" {
			continue
		}
		declare(f, fmt.Sprintf("%s appends %s to %s.", ix.Func, values(t, ix), ix.Result),
			jen.Func().Id(ix.Func).Params(
				jen.Id(ix.Result).Index().Add(goType(ix.Value)),
				jen.Id(t.ObjectParam).Add(object(t)),
			).Index().Add(goType(ix.Value)).Block(extraction(p.Target, t, ix)...))
	}
}

// extraction prints the body of an index function. The sources of a union follow each other.
func extraction(target model.Target, t *model.Type, ix *model.Index) (body []jen.Code) {
	returns := true
	for _, source := range ix.Sources() {
		e := &extractor{
			ix: ix, source: source, object: value{code: jen.Id(t.ObjectParam)}, namespaced: t.Namespaced,
			bound: map[string]value{}, checked: map[string]bool{}, guards: map[jen.Code]*guard{},
			assigns: len(ix.Also) > 0, target: target,
		}
		start := place{skip: jen.Return(jen.Id(ix.Result))}
		if e.assigns {
			start.skip = nil // the next source follows
		}
		if ix.Kind == model.Funcs {
			body = append(body, e.function(t)...)
		} else {
			body = append(body, e.path(start)...)
		}
		returns = !e.assigns
	}
	if !returns {
		body = append(body, jen.Return(jen.Id(ix.Result)))
	}
	return body
}

// extractor prints one source of the values of an index. It follows the paths one after the
// other. Each path is nested in the loops of the paths before it, so that several
// multi-valued paths yield every combination. Paths that share a loop share its code.
type extractor struct {
	target     model.Target
	ix, source *model.Index
	object     value            // the parameter
	namespaced bool             // the type is namespaced
	bound      map[string]value // by prefix: elements and map values that have a variable
	// by prefix: pointers already tested for nil, and filters already tested
	checked map[string]bool
	guards  map[jen.Code]*guard // the if statements printed so far
	assigns bool                // values are appended by assignment, because more may follow
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
	skip  jen.Code   // continues the innermost loop, or returns; nil if conditions nest the code after them
}

// on returns the place after the next step, which leads to v.
func (at place) on(v value) place {
	at.step++
	at.value = v
	return at
}

// path prints the code for a path and all later ones.
func (e *extractor) path(at place) []jen.Code {
	switch {
	case at.part < len(e.source.Parts):
		at.step, at.value = 0, e.object
		return e.walk(at)
	case e.ix.Kind == model.Refs:
		return e.reference(at)
	}
	return []jen.Code{e.result(at.done)}
}

// walk prints the code for the rest of a path and all later ones.
func (e *extractor) walk(at place) []jen.Code {
	part := e.source.Parts[at.part]
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
	part := e.source.Parts[at.part]
	rest := e.path(place{part: at.part + 1, done: append(at.done, at.value.key(part)), skip: at.skip})
	switch {
	case part.Convert != nil && part.Convert.Unset:
		return e.guarded(at.value.unset().not(), at.skip, rest)
	case part.OmitEmpty:
		return e.guarded(at.value.zero(part).not(), at.skip, rest)
	}
	return rest
}

// lookup prints the lookup of a map value and the code after it.
func (e *extractor) lookup(at place, s *model.Step, next value) []jen.Code {
	part, found := e.source.Parts[at.part], at.value.index(jen.Lit(s.Name))
	last := at.step == len(part.Steps)-1
	switch {
	case last && e.source.Split && !s.Pointer:
		return e.walk(at.on(value{code: found}))
	case s.Pointer, last && (e.ix.Kind == model.Refs || part.OmitEmpty || part.Convert != nil && part.Convert.Unset):
		// Nil, empty and unset values are skipped, present or not.
		unset := e.check(at, next)
		return e.guardedAfter(jen.Id(s.Var).Op(":=").Add(found), unset, at.skip, e.walk(at.on(next)))
	}
	find := jen.List(jen.Id(s.Var), jen.Id("ok")).Op(":=").Add(found)
	present := &test{jen.Op("!").Id("ok"), jen.Id("ok")}
	return e.guardedAfter(find, present, at.skip, e.walk(at.on(next)))
}

// loop prints a loop over a list or map with the code after it as its body. A struct that
// the body uses only once needs no variable.
func (e *extractor) loop(at place, s *model.Step, next value, variable *jen.Statement) []jen.Code {
	e.assigns = true
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

// check returns the test that the pointer after the next step is set. It returns nil if
// the pointer was tested before, or if IsZero will be called on it.
func (e *extractor) check(at place, v value) *test {
	part := e.source.Parts[at.part]
	prefix, last := part.Prefix(at.step), at.step == len(part.Steps)-1
	if !part.Steps[at.step].Pointer || e.checked[prefix] ||
		last && part.Convert != nil && part.Convert.NilSafe {
		return nil
	}
	e.checked[prefix] = true
	return isSet(v.code)
}

// spreads reports whether the i-th step ends a plain index of unconverted list elements.
func (e *extractor) spreads(part *model.Part, i int) bool {
	s := part.Steps[i]
	return len(e.source.Parts) == 1 && i == len(part.Steps)-1 && s.Op == model.Each && !s.Pointer &&
		part.Convert == nil && !part.OmitEmpty && e.ix.Kind == model.Paths
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

// add prints the append of v to the result.
func (e *extractor) add(v jen.Code) jen.Code { return e.set(jen.Append(jen.Id(e.ix.Result), v)) }

// set prints the assignment of the result. If nothing follows, it returns.
func (e *extractor) set(v jen.Code) jen.Code {
	if e.assigns {
		return jen.Id(e.ix.Result).Op("=").Add(v)
	}
	return jen.Return(v)
}
