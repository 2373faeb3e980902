// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// emitAnyKindReference prints the end of the index function of references to objects of any kind.
//
//	target := schema.GroupKind{Group: p.Spec.TargetRef.Group, Kind: p.Spec.TargetRef.Kind}
//	return append(dst,
//		PolicyTargetKey{Kind: target, Key: types.NamespacedName{Name: p.Spec.TargetRef.Name}},
//		PolicyTargetKey{Kind: target, Key: types.NamespacedName{Namespace: p.GetNamespace(), Name: p.Spec.TargetRef.Name}})
func (e *indexFuncEmitter) emitAnyKindReference(skip, name string) []statement {
	o := e.unionSource.Open
	before, kind := e.emitReferenceField(o.Kind, strconv.Quote(o.Kind.Default))
	other := strconv.Quote(o.Group.Default)
	if o.Version && o.Group.Default != "" {
		other = strconv.Quote(o.Group.Default + "/")
	}
	more, group := e.emitReferenceField(o.Group, other)
	before = append(before, more...)
	if o.Group.Part != nil && !o.Version { // spellings of the core group
		if group != o.Group.Var {
			before = append(before, statement{lineOrHead: o.Group.Var + " := " + group})
			group = o.Group.Var
		}
		before = append(before, statement{lineOrHead: "if " + group + ` == "core" || ` + group + ` == "v1"`,
			body: lineStatements(group + ` = ""`)})
	}
	line, parsed := "", (*predicate)(nil)
	if o.Version {
		line, parsed = o.Parsed+", "+o.Err+" := «schema».ParseGroupVersion("+group+")", isEqual(o.Err, "nil")
		group = o.Parsed + ".Group"
	}
	target := lineStatements(o.Var + " := " + literalExpr("«schema».GroupKind", "Group", group, "Kind", kind))
	rest := emitSkipOrNest(line, parsed, skip, append(target, e.emitAnyKindKeys(skip, name)...))
	return append(before, emitSkipOrNest("", isDifferent(kind, `""`), skip, rest)...)
}

// emitReferenceField prints the kind or the group of a reference as an expression, and the statements before it. An
// empty field is absent, unless it is behind a pointer.
func (e *indexFuncEmitter) emitReferenceField(f model.OpenField, other string) (before []statement, code string) {
	if f.Part == nil {
		return nil, other
	}
	field, set := e.optionalFieldExpr(f.Part)
	if f.Default != "" && !f.Part.Steps[len(f.Part.Steps)-1].Pointer {
		set = append(set, isDifferent(field, `""`))
	}
	field = stringExpr(field, f.Part.Text)
	if len(set) == 0 {
		return nil, field
	}
	return emitDefaultedVariable(f.Var, other, field, set), f.Var
}

// emitAnyKindKeys prints the append of the keys of a reference. If the scope of the target is not known, a
// reference without a namespace has two keys: one for a namespaced target, and one for a cluster-scoped one.
func (e *indexFuncEmitter) emitAnyKindKeys(skip, name string) []statement {
	key := func(namespace string) string {
		fields := []string{"Namespace", namespace, "Name", name}
		if namespace == "" {
			fields = fields[2:]
		}
		return literalExpr(goType(e.index.Value), "Kind", e.unionSource.Open.Var, "Key", literalExpr("«types».NamespacedName", fields...))
	}
	own, stated := e.objectValue.expr+".GetNamespace()", e.unionSource.Namespace
	if e.unionSource.DefaultNamespace != "" {
		own = strconv.Quote(e.unionSource.DefaultNamespace)
	}
	switch hasOwn := e.isNamespaced || e.unionSource.DefaultNamespace != ""; {
	case !e.index.To.Namespaced:
		return lineStatements(e.appendStatement(literalExpr(goType(e.index.Value), "Kind", e.unionSource.Open.Var, "Name", name)))
	case !e.index.To.AnyScope:
		return e.emitNamespacedReference(skip, key)
	case stated == nil && hasOwn:
		return lineStatements(e.appendStatement(key("") + ", " + key(own)))
	case stated == nil:
		return lineStatements(e.appendStatement(key("")))
	default:
		field, set := e.optionalFieldExpr(stated)
		variable := e.unionSource.NamespaceVar
		out := emitDefaultedVariable(variable, `""`, stringExpr(field, stated.Text), set)
		if hasOwn {
			out = append(out, statement{lineOrHead: "if " + variable + ` == ""`, body: lineStatements(
				e.index.Result+" = append("+e.index.Result+", "+key("")+")", variable+" = "+own)})
		}
		return append(out, lineStatements(e.appendStatement(key(variable)))...)
	}
}
