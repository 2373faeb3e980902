// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// reference prints the end of the index function of a reference. An empty name refers to
// nothing. An absent or empty namespace means the object's own.
//
//	namespace := d.GetNamespace()
//	if d.Spec.Secret.Namespace != "" {
//		namespace = d.Spec.Secret.Namespace
//	}
func (e *extractor) reference(at place) []statement {
	name := at.done[0]
	key := text(name, e.source.Parts[0])
	if e.source.Split {
		return lines(e.split(key))
	}
	named := differs(name, `""`)
	if !e.source.Struct {
		named = named.and(is("«strings».Contains(" + key + `, "/")`).not())
	}
	if !e.ix.To.Namespaced {
		return guarded("", named, at.skip, lines(e.add(key)))
	}
	out, namespace := e.namespace()
	var fields []string
	if namespace != "" {
		fields = append(fields, "Namespace", namespace)
	}
	fields = append(fields, "Name", key)
	return guarded("", named, at.skip, append(out, lines(e.add(literal(goType(e.ix.Value), fields...)))...))
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

// namespace prints the namespace of a reference as an expression, and the statements before it
// that compute it. The expression is "" if the reference has no namespace.
func (e *extractor) namespace() (before []statement, namespace string) {
	own, variable := e.object.code+".GetNamespace()", e.source.NamespaceVar
	switch {
	case e.source.Namespace == nil && e.namespaced:
		return nil, own
	case e.source.Namespace == nil:
		return nil, ""
	}
	set, there := e.optional()
	declared := "var " + variable + " string"
	switch {
	case e.namespaced:
		declared = variable + " := " + own
		there = append(there, set+` != ""`)
	case len(there) == 0:
		return nil, text(set, e.source.Namespace)
	}
	assign := lines(variable + " = " + text(set, e.source.Namespace))
	return []statement{{line: declared}, {line: "if " + strings.Join(there, " && "), body: assign}}, variable
}

// optional prints the field with the namespace, and the conditions under which it can be read.
func (e *extractor) optional() (set string, there []string) {
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
			cur.code = cur.index(strconv.Quote(s.Name))
		} else {
			cur.code += "." + s.Name
		}
		cur.pointer = s.Pointer
		if s.Pointer && !e.checked[prefix] {
			there = append(there, cur.code+" != nil")
		}
	}
	return cur.followed(), there
}

// text prints a value of p as a string.
func text(v string, p *model.Part) string {
	if p.Text {
		return "string(" + v + ")"
	}
	return v
}
