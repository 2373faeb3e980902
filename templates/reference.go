// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// reference prints the end of the index function of a reference. An empty name refers to
// nothing. An absent or empty namespace means the object's own.
//
//	namespace := d.GetNamespace()
//	if d.Spec.Secret.Namespace != "" {
//		namespace = d.Spec.Secret.Namespace
//	}
func (e *extractor) reference(at place) []jen.Code {
	name := at.done[0]
	key := text(name, e.source.Parts[0])
	if e.source.Split {
		return []jen.Code{e.split(key)}
	}
	named := differs(jen.Add(name), jen.Lit(""))
	if !e.source.Struct {
		slash := jen.Qual(model.Text, "Contains").Call(key, jen.Lit("/"))
		named = named.and(&test{slash, jen.Op("!").Add(slash.Clone())})
	}
	if !e.ix.To.Namespaced {
		return e.guarded(named, at.skip, []jen.Code{e.add(key)})
	}
	out, namespace := e.namespace()
	var fields []jen.Code
	if namespace != nil {
		fields = append(fields, jen.Id("Namespace"), namespace)
	}
	fields = append(fields, jen.Id("Name"), key)
	return e.guarded(named, at.skip, append(out, e.add(literal(goType(e.ix.Value), fields...))))
}

// split prints the append of a reference that is a name, or namespace/name.
//
//	return lister.AppendReference(dst, d.GetNamespace(), d.Spec.Secret)
func (e *extractor) split(key jen.Code) jen.Code {
	own := jen.Lit("")
	if e.namespaced {
		own = e.object.code.Clone().Dot("GetNamespace").Call()
	}
	appendTo := jen.Qual(model.Lister, "AppendReference")
	if e.target.Foreign() {
		appendTo = jen.Id(e.target.NameOf(model.InlinedReference))
	}
	return e.set(appendTo.Call(jen.Id(e.ix.Result), own, key))
}

// namespace prints the namespace of a reference as an expression, and the statements before it
// that compute it. The expression is nil if the reference has no namespace.
func (e *extractor) namespace() (before []jen.Code, namespace jen.Code) {
	own := e.object.code.Clone().Dot("GetNamespace").Call()
	switch {
	case e.source.Namespace == nil && e.namespaced:
		return nil, own
	case e.source.Namespace == nil:
		return nil, nil
	}
	set, there := e.optional()
	declared := jen.Var().Id(e.source.NamespaceVar).String()
	switch {
	case e.namespaced:
		declared = jen.Id(e.source.NamespaceVar).Op(":=").Add(own)
		there = append(there, set.Clone().Op("!=").Lit(""))
	case len(there) == 0:
		return nil, text(set, e.source.Namespace)
	}
	all := there[0]
	for _, condition := range there[1:] {
		all = all.Op("&&").Add(condition)
	}
	assign := jen.Id(e.source.NamespaceVar).Op("=").Add(text(set, e.source.Namespace))
	return []jen.Code{declared, jen.If(all).Block(assign)}, jen.Id(e.source.NamespaceVar)
}

// optional prints the field with the namespace, and the conditions under which it can be read.
func (e *extractor) optional() (set *jen.Statement, there []*jen.Statement) {
	part, cur := e.source.Namespace, e.object
	for i, s := range part.Steps {
		prefix := part.Prefix(i)
		if known, ok := e.bound[prefix]; ok {
			cur = known
			continue
		}
		if s.Op == model.Match {
			continue
		}
		if s.Op == model.Lookup {
			cur.code = cur.index(jen.Lit(s.Name))
		} else {
			cur.code = cur.code.Clone().Dot(s.Name)
		}
		cur.pointer = s.Pointer
		if s.Pointer && !e.checked[prefix] {
			there = append(there, cur.code.Clone().Op("!=").Nil())
		}
	}
	return cur.followed(), there
}

// text prints a value of p as a string.
func text(v jen.Code, p *model.Part) jen.Code {
	if p.Text {
		return jen.String().Call(v)
	}
	return v
}
