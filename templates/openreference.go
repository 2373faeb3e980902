// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// open prints the end of the index function of references to objects of any kind.
//
//	target := schema.GroupKind{Group: p.Spec.TargetRef.Group, Kind: p.Spec.TargetRef.Kind}
//	return append(dst,
//		PolicyTargetKey{Kind: target, Key: types.NamespacedName{Name: p.Spec.TargetRef.Name}},
//		PolicyTargetKey{Kind: target, Key: types.NamespacedName{Namespace: p.GetNamespace(), Name: p.Spec.TargetRef.Name}})
func (e *extractor) open(skip, name string) []statement {
	o := e.source.Open
	before, kind := e.openField(o.Kind, strconv.Quote(o.Kind.Default))
	other := strconv.Quote(o.Group.Default)
	if o.Version && o.Group.Default != "" {
		other = strconv.Quote(o.Group.Default + "/")
	}
	more, group := e.openField(o.Group, other)
	before = append(before, more...)
	if o.Group.Part != nil && !o.Version { // spellings of the core group
		if group != o.Group.Var {
			before = append(before, statement{line: o.Group.Var + " := " + group})
			group = o.Group.Var
		}
		before = append(before, statement{line: "if " + group + ` == "core" || ` + group + ` == "v1"`,
			body: lines(group + ` = ""`)})
	}
	line, parsed := "", (*test)(nil)
	if o.Version {
		line, parsed = o.Parsed+", "+o.Err+" := «schema».ParseGroupVersion("+group+")", equals(o.Err, "nil")
		group = o.Parsed + ".Group"
	}
	target := lines(o.Var + " := " + literal("«schema».GroupKind", "Group", group, "Kind", kind))
	rest := guarded(line, parsed, skip, append(target, e.scoped(skip, name)...))
	return append(before, guarded("", differs(kind, `""`), skip, rest)...)
}

// openField prints the kind or the group of a reference as an expression, and the statements before it. An empty
// field is absent, unless it is behind a pointer.
func (e *extractor) openField(f model.OpenField, other string) (before []statement, code string) {
	if f.Part == nil {
		return nil, other
	}
	field, set := e.optional(f.Part)
	if f.Default != "" && !f.Part.Steps[len(f.Part.Steps)-1].Pointer {
		set = append(set, differs(field, `""`))
	}
	field = text(field, f.Part.Text)
	if len(set) == 0 {
		return nil, field
	}
	return assigned(f.Var, other, field, set), f.Var
}

// scoped prints the append of the keys of a reference. If the scope of the target is not known, a reference without a
// namespace has two keys: one for a namespaced target, and one for a cluster-scoped one.
func (e *extractor) scoped(skip, name string) []statement {
	key := func(namespace string) string {
		fields := []string{"Namespace", namespace, "Name", name}
		if namespace == "" {
			fields = fields[2:]
		}
		return literal(goType(e.ix.Value), "Kind", e.source.Open.Var, "Key", literal("«types».NamespacedName", fields...))
	}
	own, stated := e.object.code+".GetNamespace()", e.source.Namespace
	if e.source.DefaultNamespace != "" {
		own = strconv.Quote(e.source.DefaultNamespace)
	}
	switch hasOwn := e.namespaced || e.source.DefaultNamespace != ""; {
	case !e.ix.To.Namespaced:
		return lines(e.add(literal(goType(e.ix.Value), "Kind", e.source.Open.Var, "Name", name)))
	case !e.ix.To.AnyScope:
		return e.keyed(skip, key)
	case stated == nil && hasOwn:
		return lines(e.add(key("") + ", " + key(own)))
	case stated == nil:
		return lines(e.add(key("")))
	default:
		field, set := e.optional(stated)
		variable := e.source.NamespaceVar
		out := assigned(variable, `""`, text(field, stated.Text), set)
		if hasOwn {
			out = append(out, statement{line: "if " + variable + ` == ""`, body: lines(
				e.ix.Result+" = append("+e.ix.Result+", "+key("")+")", variable+" = "+own)})
		}
		return append(out, lines(e.add(key(variable)))...)
	}
}
