// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/generator/model"
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
		if ix.Func == "" {
			continue
		}
		paths := ""
		for i, p := range ix.Parts {
			if i > 0 {
				paths += ", "
			}
			paths += p.Path
		}
		if ix.Kind == model.Funcs {
			function(f, t, ix)
			continue
		}
		e := &extractor{ix: ix, bound: map[string]value{}, checked: map[string]bool{}}
		body := e.part(0, value{code: jen.Id(t.ObjectParam)}, nil, jen.Return(jen.Id(ix.Result)))
		if e.looped {
			body = append(body, jen.Return(jen.Id(ix.Result)))
		}
		declare(f, fmt.Sprintf("%s appends to %s the values under which %s finds %s: %s.", ix.Func, ix.Result, ix.Method, t.ObjectParam, paths),
			jen.Func().Id(ix.Func).Params(
				jen.Id(ix.Result).Index().Add(goType(ix.Value)),
				jen.Id(t.ObjectParam).Add(object(t)),
			).Index().Add(goType(ix.Value)).Block(body...))
	}
}

// extractor prints the body of one index function. Paths are walked one after
// the other, each inside the loops of those before it, so that several
// multi-valued paths give every combination; a loop that two paths share is
// entered once.
type extractor struct {
	ix      *model.Index
	bound   map[string]value // by prefix: elements and map values that have a variable
	checked map[string]bool  // by prefix: pointers known not to be nil
	looped  bool
}

// value is an expression on the way, and whether it is a pointer.
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

func (e *extractor) part(k int, root value, values []jen.Code, skip jen.Code) []jen.Code {
	if k == len(e.ix.Parts) {
		if e.ix.Kind == model.Refs {
			return e.reference(root, values[0], skip)
		}
		return []jen.Code{e.result(values)}
	}
	return e.step(k, 0, root, root, values, skip)
}

// step prints what remains of part k from its i-th step on, and all later parts.
// skip leaves the innermost loop's turn, or the function.
func (e *extractor) step(k, i int, root, cur value, values []jen.Code, skip jen.Code) []jen.Code {
	part := e.ix.Parts[k]
	if i == len(part.Steps) {
		rest := e.part(k+1, root, append(values, cur.key(part)), skip)
		if part.Convert != nil && part.Convert.Unset {
			return append([]jen.Code{jen.If(cur.unset()).Block(skip)}, rest...)
		}
		return rest
	}
	s, prefix := part.Steps[i], part.Prefix(i)
	next := value{code: jen.Id(s.Var), pointer: s.Pointer || s.Counter != ""}
	if s.Op == model.Match {
		return append(e.match(prefix, s, cur, skip), e.step(k, i+1, root, cur, values, skip)...)
	}
	if known, ok := e.bound[prefix]; ok {
		return e.step(k, i+1, root, known, values, skip)
	}
	switch s.Op {
	case model.Field:
		next = value{code: cur.code.Clone().Dot(s.Name), pointer: s.Pointer}
		check := e.check(part, i, next, skip)
		return append(check, e.step(k, i+1, root, next, values, skip)...)
	case model.Lookup:
		e.bound[prefix] = next
		find := jen.List(jen.Id(s.Var), jen.Id("ok")).Op(":=").Parens(cur.followed()).Index(jen.Lit(s.Name))
		if !cur.pointer {
			find = jen.List(jen.Id(s.Var), jen.Id("ok")).Op(":=").Add(cur.code.Clone()).Index(jen.Lit(s.Name))
		}
		missing := jen.Op("!").Id("ok")
		if s.Pointer && !e.nilSafe(part, i) {
			missing = missing.Op("||").Id(s.Var).Op("==").Nil()
		}
		out := []jen.Code{find, jen.If(missing).Block(skip)}
		return append(out, e.step(k, i+1, root, next, values, skip)...)
	default:
		e.bound[prefix] = next
		if e.spreads(k, i, s) {
			return []jen.Code{jen.Return(jen.Append(jen.Id(e.ix.Result), cur.followed().Op("...")))}
		}
		e.looped = true
		var body []jen.Code
		head := jen.For(jen.List(jen.Id("_"), jen.Id(s.Var)).Op(":=").Range().Add(cur.followed()))
		if s.Counter != "" {
			head = jen.For(jen.Id(s.Counter).Op(":=").Range().Add(cur.followed()))
			element := jen.Op("&").Add(cur.code.Clone()).Index(jen.Id(s.Counter))
			if cur.pointer {
				element = jen.Op("&").Parens(cur.followed()).Index(jen.Id(s.Counter))
			}
			body = append(body, jen.Id(s.Var).Op(":=").Add(element))
		}
		body = append(body, e.check(part, i, next, jen.Continue())...)
		body = append(body, e.step(k, i+1, root, next, values, jen.Continue())...)
		return []jen.Code{head.Block(body...)}
	}
}

// match prints the test that passes over elements which a filter is not for.
func (e *extractor) match(prefix string, s *model.Step, cur value, skip jen.Code) []jen.Code {
	if e.checked[prefix+"?"] {
		return nil
	}
	e.checked[prefix+"?"] = true
	return []jen.Code{jen.If(cur.code.Clone().Dot(s.Name).Op("!=").Lit(s.Value)).Block(skip)}
}

// check prints the test of a pointer that is not known to be set.
func (e *extractor) check(part *model.Part, i int, v value, skip jen.Code) []jen.Code {
	s, prefix := part.Steps[i], part.Prefix(i)
	if !s.Pointer || e.checked[prefix] {
		return nil
	}
	if e.nilSafe(part, i) {
		return nil
	}
	e.checked[prefix] = true
	return []jen.Code{jen.If(v.code.Clone().Op("==").Nil()).Block(skip)}
}

// nilSafe reports whether the i-th step leads to a value whose IsZero will tell
// that it is nil.
func (e *extractor) nilSafe(part *model.Part, i int) bool {
	return i == len(part.Steps)-1 && part.Convert != nil && part.Convert.NilSafe
}

// spreads reports whether the step ends a plain index over the elements as they are.
func (e *extractor) spreads(k, i int, s *model.Step) bool {
	return len(e.ix.Parts) == 1 && i == len(e.ix.Parts[k].Steps)-1 && s.Op == model.Each && !s.Pointer && !e.looped &&
		e.ix.Parts[k].Convert == nil
}

func (e *extractor) result(values []jen.Code) jen.Code {
	v := values[0]
	if e.ix.Composite() {
		v = goType(e.ix.Value).ValuesFunc(func(g *jen.Group) {
			for i, p := range e.ix.Parts {
				g.Id(p.Field).Op(":").Add(values[i])
			}
		})
	}
	add := jen.Append(jen.Id(e.ix.Result), v)
	if e.looped {
		return jen.Id(e.ix.Result).Op("=").Add(add)
	}
	return jen.Return(add)
}
