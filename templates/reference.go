// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// reference prints the end of the index function of a reference. An empty name refers to
// nothing. An absent or empty namespace means its default or the object's own, if there is one.
//
//	namespace := d.GetNamespace()
//	if d.Spec.Secret.Namespace != "" {
//		namespace = d.Spec.Secret.Namespace
//	}
func (e *extractor) reference(at place) []statement {
	part := e.source.Parts[len(e.source.Parts)-1]
	name := at.done[len(at.done)-1]
	key := text(name, part.Text)
	if e.source.Split {
		return lines(e.split(key))
	}
	named := differs(name, `""`)
	if part.Literal != "" {
		named = nil
	} else if !e.source.Struct {
		named = named.and(is("«strings».Contains(" + key + `, "/")`).not())
	}
	switch {
	case e.source.Open != nil:
		return guarded("", named, at.skip, e.open(at.skip, key))
	case !e.ix.To.Namespaced:
		return guarded("", named, at.skip, lines(e.add(key)))
	}
	return guarded("", named, at.skip, e.keyed(at.skip, func(namespace string) string {
		return literal(goType(e.ix.Value), "Namespace", namespace, "Name", key)
	}))
}

// split prints the append of a reference that is a name, or namespace/name.
//
//	return lister.AppendReference(dst, d.GetNamespace(), d.Spec.Secret)
func (e *extractor) split(key string) string {
	own := `""`
	if e.namespaced {
		own = e.object.code + ".GetNamespace()"
	}
	appendTo := "«lister».AppendReference"
	if e.f.p.Target.Foreign() {
		appendTo = e.f.inlined(model.InlinedReference)
	}
	return e.set(appendTo + "(" + e.ix.Result + ", " + own + ", " + key + ")")
}

// keyed prints the append of a reference to a namespaced object. key prints its value.
func (e *extractor) keyed(skip string, key func(namespace string) string) []statement {
	out, namespace, set := e.namespace()
	return behind(set, skip, append(out, lines(e.add(key(namespace)))...))
}

// namespace prints the namespace of a reference as an expression, and the statements before it
// that compute it. set holds the tests that a cluster-scoped object states a namespace.
func (e *extractor) namespace() (before []statement, namespace string, set []*test) {
	own, variable := e.object.code+".GetNamespace()", e.source.NamespaceVar
	if e.source.DefaultNamespace != "" {
		own = strconv.Quote(e.source.DefaultNamespace)
	}
	if e.source.Namespace == nil {
		return nil, own, nil
	}
	field, set := e.optional(e.source.Namespace)
	set, field = append(set, differs(field, `""`)), text(field, e.source.Namespace.Text)
	if !e.namespaced && e.source.DefaultNamespace == "" {
		return nil, field, set
	}
	return assigned(variable, own, field, set), variable, nil
}

// assigned prints a variable of a field, and of other if the tests of the field fail.
func assigned(variable, other, field string, set []*test) []statement {
	if len(set) == 0 {
		return lines(variable + " := " + field)
	}
	there := set[0]
	for _, one := range set[1:] {
		there = there.and(one)
	}
	return []statement{
		{line: variable + " := " + other}, {line: "if " + there.holds, body: lines(variable + " = " + field)},
	}
}

// optional prints a field of a struct that refers, and the tests that it can be read.
func (e *extractor) optional(part *model.Part) (field string, set []*test) {
	cur := e.object
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
			cur.code = cur.index(strconv.Quote(s.Name))
		} else {
			cur.code += "." + s.Name
		}
		cur.pointer = s.Pointer
		if s.Pointer && !e.checked[prefix] {
			set = append(set, differs(cur.code, "nil"))
		}
	}
	return cur.followed(), set
}

// text prints a value as a string, which it is already unless its type is named.
func text(v string, named bool) string {
	if named {
		return "string(" + v + ")"
	}
	return v
}
