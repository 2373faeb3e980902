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
	out, namespace := e.namespace()
	var key []jen.Code
	if namespace != nil {
		key = append(key, jen.Id("Namespace"), namespace)
	}
	key = append(key, jen.Id("Name"), text(name, e.ix.Parts[0]))
	out = append(out, e.result([]jen.Code{literal(goType(e.ix.Value), key...)}))
	return e.guarded(jen.Add(name).Op("==").Lit(""), at.skip, out)
}

// namespace prints the namespace of a reference as an expression, and the statements before it
// that compute it. The expression is nil if the reference has no namespace.
func (e *extractor) namespace() (before []jen.Code, namespace jen.Code) {
	own := e.object.code.Clone().Dot("GetNamespace").Call()
	switch {
	case e.ix.Namespace == nil && e.namespaced:
		return nil, own
	case e.ix.Namespace == nil:
		return nil, nil
	}
	set, there := e.optional()
	declared := jen.Var().Id(e.ix.NamespaceVar).String()
	switch {
	case e.namespaced:
		declared = jen.Id(e.ix.NamespaceVar).Op(":=").Add(own)
		there = append(there, set.Clone().Op("!=").Lit(""))
	case len(there) == 0:
		return nil, text(set, e.ix.Namespace)
	}
	all := there[0]
	for _, condition := range there[1:] {
		all = all.Op("&&").Add(condition)
	}
	assign := jen.Id(e.ix.NamespaceVar).Op("=").Add(text(set, e.ix.Namespace))
	return []jen.Code{declared, jen.If(all).Block(assign)}, jen.Id(e.ix.NamespaceVar)
}

// optional prints the field with the namespace, and the conditions under which it can be read.
func (e *extractor) optional() (set *jen.Statement, there []*jen.Statement) {
	part, cur := e.ix.Namespace, e.object
	for i, s := range part.Steps {
		prefix := part.Prefix(i)
		if known, ok := e.bound[prefix]; ok {
			cur = known
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
