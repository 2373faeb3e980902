// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// reference prints the end of the index function of a reference. A name that is
// empty refers to nothing; a namespace that is absent or empty is the object's.
//
//	namespace := d.GetNamespace()
//	if d.Spec.Secret.Namespace != "" {
//		namespace = d.Spec.Secret.Namespace
//	}
func (e *extractor) reference(root value, name jen.Code, skip jen.Code) []jen.Code {
	var out []jen.Code
	namespace := root.code.Clone().Dot("GetNamespace").Call()
	if e.ix.Namespace != nil {
		set, there := e.optional(root)
		out = append(out,
			jen.Id(e.ix.Local).Op(":=").Add(namespace),
			jen.If(there.Op("!=").Lit("")).Block(jen.Id(e.ix.Local).Op("=").Add(text(set, e.ix.Namespace))))
		namespace = jen.Id(e.ix.Local)
	}
	out = append(out, e.result([]jen.Code{goType(e.ix.Value).Values(
		jen.Id("Namespace").Op(":").Add(namespace),
		jen.Id("Name").Op(":").Add(text(name, e.ix.Parts[0])),
	)}))
	return e.guarded(jen.Add(name).Op("==").Lit(""), skip, out)
}

// optional prints the namespace that a reference has, and the condition that it
// has one, up to the comparison with "".
func (e *extractor) optional(root value) (set jen.Code, there *jen.Statement) {
	part, cur := e.ix.Namespace, root
	there = jen.Null()
	for i, s := range part.Steps {
		prefix := part.Prefix(i)
		if known, ok := e.bound[prefix]; ok {
			cur = known
			continue
		}
		cur = value{code: cur.code.Clone().Dot(s.Name), pointer: s.Pointer}
		if s.Pointer && !e.checked[prefix] {
			there = there.Add(cur.code.Clone().Op("!=").Nil().Op("&&"))
		}
	}
	return cur.followed(), there.Add(cur.followed())
}

// text prints a value as a string.
func text(v jen.Code, p *model.Part) jen.Code {
	if p.Text {
		return jen.String().Call(v)
	}
	return v
}

// function prints the index function around a user's function.
//
//	func IndexDeviceBySize(dst []string, d *Device) []string {
//		return append(dst, SizeOf(d))
//	}
func function(f *jen.File, t *model.Type, ix *model.Index) {
	call := ident(ix.Of).Call(jen.Id(t.ObjectParam))
	body := []jen.Code{jen.Return(jen.Append(jen.Id(ix.Result), call))}
	switch part := ix.Parts[0]; {
	case part.Convert != nil:
		body = converted(ix, part, call)
	case ix.Several:
		body = []jen.Code{jen.Return(jen.Append(jen.Id(ix.Result), call.Op("...")))}
	}
	declare(f, fmt.Sprintf("%s appends to %s the values under which %s finds %s: what %s returns.", ix.Func, ix.Result, ix.Method, t.ObjectParam, ix.Of.Name),
		jen.Func().Id(ix.Func).Params(
			jen.Id(ix.Result).Index().Add(goType(ix.Value)),
			jen.Id(t.ObjectParam).Add(object(t)),
		).Index().Add(goType(ix.Value)).Block(body...))
}

// converted prints the body of an index function whose values are made keys.
//
//	for _, value := range TimesOf(d) {
//		if !value.IsZero() {
//			dst = append(dst, canonical.TimeOf(value.Time))
//		}
//	}
//	return dst
func converted(ix *model.Index, part *model.Part, call *jen.Statement) []jen.Code {
	v := value{code: jen.Id(ix.Local)}
	add := jen.Append(jen.Id(ix.Result), v.key(part))
	switch {
	case !ix.Several && !part.Convert.Unset:
		return []jen.Code{jen.Return(jen.Append(jen.Id(ix.Result), value{code: call}.key(part)))}
	case !ix.Several:
		return []jen.Code{
			jen.If(jen.Id(ix.Local).Op(":=").Add(call), jen.Op("!").Add(v.unset())).Block(jen.Return(add)),
			jen.Return(jen.Id(ix.Result)),
		}
	}
	body := jen.Id(ix.Result).Op("=").Add(add)
	if part.Convert.Unset {
		body = jen.If(jen.Op("!").Add(v.unset())).Block(body)
	}
	return []jen.Code{
		jen.For(jen.List(jen.Id("_"), jen.Id(ix.Local)).Op(":=").Range().Add(call)).Block(body),
		jen.Return(jen.Id(ix.Result)),
	}
}
