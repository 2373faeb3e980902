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
		e := &extractor{ix: ix, namespaced: t.Namespaced, bound: map[string]value{}, checked: map[string]bool{}, guards: map[jen.Code]*jen.Statement{}}
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
	ix         *model.Index
	namespaced bool                        // the objects are in namespaces
	bound      map[string]value            // by prefix: elements and map values that have a variable
	checked    map[string]bool             // by prefix: pointers known not to be nil
	guards     map[jen.Code]*jen.Statement // the conditions of tests
	looped     bool
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
			return e.guarded(cur.unset(), skip, rest)
		}
		return rest
	}
	s, prefix := part.Steps[i], part.Prefix(i)
	next := value{code: jen.Id(s.Var), pointer: s.Pointer || s.Counter != ""}
	if s.Op == model.Match {
		other := e.match(prefix, s, cur)
		return e.guarded(other, skip, e.step(k, i+1, root, cur, values, skip))
	}
	if known, ok := e.bound[prefix]; ok {
		return e.step(k, i+1, root, known, values, skip)
	}
	switch s.Op {
	case model.Field:
		next = value{code: cur.code.Clone().Dot(s.Name), pointer: s.Pointer}
		unset := e.check(part, i, next)
		return e.guarded(unset, skip, e.step(k, i+1, root, next, values, skip))
	case model.Lookup:
		e.bound[prefix] = next
		from := cur.code.Clone()
		if cur.pointer {
			from = jen.Parens(cur.followed())
		}
		bare := jen.Id(s.Var).Op(":=").Add(from).Index(jen.Lit(s.Name))
		if s.Pointer || i == len(part.Steps)-1 && (e.ix.Kind == model.Refs || part.Convert != nil && part.Convert.Unset) {
			// What is nil, empty or not set has no value, whether it is there or not.
			unset := e.check(part, i, next)
			return append([]jen.Code{bare}, e.guarded(unset, skip, e.step(k, i+1, root, next, values, skip))...)
		}
		find := jen.List(jen.Id(s.Var), jen.Id("ok")).Op(":=").Add(from).Index(jen.Lit(s.Name))
		missing := jen.Op("!").Id("ok")
		return append([]jen.Code{find}, e.guarded(missing, skip, e.step(k, i+1, root, next, values, skip))...)
	default:
		e.bound[prefix] = next
		if e.spreads(k, i, s) {
			return []jen.Code{e.add(cur.followed().Op("..."))}
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
		unset := e.check(part, i, next)
		body = append(body, e.guarded(unset, jen.Continue(), e.step(k, i+1, root, next, values, jen.Continue()))...)
		return []jen.Code{head.Block(body...)}
	}
}

// match is the condition under which a filter passes over an element, or nil if
// that has been seen to.
func (e *extractor) match(prefix string, s *model.Step, cur value) *jen.Statement {
	if e.checked[prefix+"?"] {
		return nil
	}
	e.checked[prefix+"?"] = true
	return cur.code.Clone().Dot(s.Name).Op("!=").Lit(s.Value)
}

// check is the condition under which a pointer leads nowhere, or nil if it is
// known to be set.
func (e *extractor) check(part *model.Part, i int, v value) *jen.Statement {
	s, prefix := part.Steps[i], part.Prefix(i)
	if !s.Pointer || e.checked[prefix] || e.nilSafe(part, i) {
		return nil
	}
	e.checked[prefix] = true
	return v.code.Clone().Op("==").Nil()
}

// guarded prints the test that passes over what has no value, and what follows. A
// test that follows at once becomes part of it, as long as that can be read.
func (e *extractor) guarded(cond *jen.Statement, skip jen.Code, rest []jen.Code) []jen.Code {
	if cond == nil {
		return rest
	}
	if len(rest) > 0 && e.guards[rest[0]] != nil {
		both := cond.Clone().Op("||").Add(e.guards[rest[0]])
		if len(both.GoString()) <= width {
			cond, rest = both, rest[1:]
		}
	}
	test := jen.If(cond.Clone()).Block(skip)
	e.guards[test] = cond
	return append([]jen.Code{test}, rest...)
}

// nilSafe reports whether the i-th step leads to a value whose IsZero will tell
// that it is nil.
func (e *extractor) nilSafe(part *model.Part, i int) bool {
	return i == len(part.Steps)-1 && part.Convert != nil && part.Convert.NilSafe
}

// spreads reports whether the step ends a plain index over the elements as they are.
func (e *extractor) spreads(k, i int, s *model.Step) bool {
	return len(e.ix.Parts) == 1 && i == len(e.ix.Parts[k].Steps)-1 && s.Op == model.Each && !s.Pointer && e.ix.Parts[k].Convert == nil &&
		e.ix.Kind == model.Paths
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
	return e.add(v)
}

// add appends v to the result. Outside of loops nothing follows that.
func (e *extractor) add(v jen.Code) jen.Code {
	more := jen.Append(jen.Id(e.ix.Result), v)
	if e.looped {
		return jen.Id(e.ix.Result).Op("=").Add(more)
	}
	return jen.Return(more)
}
