// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// emitReference prints the end of the index function of a reference. An empty name refers to
// nothing. An absent or empty namespace means its default or the object's own, if there is one.
//
//	namespace := d.GetNamespace()
//	if d.Spec.Secret.Namespace != "" {
//		namespace = d.Spec.Secret.Namespace
//	}
func (e *indexFuncEmitter) emitReference(at pathPosition) []statement {
	part := e.unionSource.Parts[len(e.unionSource.Parts)-1]
	name := at.previousKeys[len(at.previousKeys)-1]
	key := stringExpr(name, part.Text)
	if e.unionSource.Split {
		return lineStatements(e.appendSplitReferenceStatement(key))
	}
	named := isDifferent(name, `""`)
	if part.Literal != "" {
		named = nil
	} else if !e.unionSource.Struct {
		named = named.andWithoutRepeats(isTrue("«strings».Contains(" + key + `, "/")`).negated())
	}
	switch {
	case e.unionSource.Open != nil:
		return emitSkipOrNest("", named, at.skipUnlessNested, e.emitAnyKindReference(at.skipUnlessNested, key))
	case !e.index.To.Namespaced:
		return emitSkipOrNest("", named, at.skipUnlessNested, lineStatements(e.appendStatement(key)))
	}
	return emitSkipOrNest("", named, at.skipUnlessNested, e.emitNamespacedReference(at.skipUnlessNested, func(namespace string) string {
		return literalExpr(goType(e.index.Value), "Namespace", namespace, "Name", key)
	}))
}

// appendSplitReferenceStatement prints the append of a reference that is a name, or namespace/name.
//
//	return lister.AppendReference(dst, d.GetNamespace(), d.Spec.Secret)
func (e *indexFuncEmitter) appendSplitReferenceStatement(key string) string {
	own := `""`
	if e.isNamespaced {
		own = e.objectValue.expr + ".GetNamespace()"
	}
	appendTo := "«lister».AppendReference"
	if e.file.pkg.Target.Foreign() {
		appendTo = e.file.inlinedFunctionName(model.InlinedReference)
	}
	return e.assignOrReturnStatement(appendTo + "(" + e.index.Result + ", " + own + ", " + key + ")")
}

// emitNamespacedReference prints the append of a reference to a namespaced object. key prints its value.
func (e *indexFuncEmitter) emitNamespacedReference(skip string, key func(namespace string) string) []statement {
	out, namespace, set := e.emitNamespace()
	return emitBehindTests(set, skip, append(out, lineStatements(e.appendStatement(key(namespace)))...))
}

// emitNamespace prints the namespace of a reference as an expression, and the statements before it
// that compute it. set holds the tests that a cluster-scoped object states a namespace.
func (e *indexFuncEmitter) emitNamespace() (before []statement, namespace string, set []*predicate) {
	own, variable := e.objectValue.expr+".GetNamespace()", e.unionSource.NamespaceVar
	if e.unionSource.DefaultNamespace != "" {
		own = strconv.Quote(e.unionSource.DefaultNamespace)
	}
	if e.unionSource.Namespace == nil {
		return nil, own, nil
	}
	field, set := e.optionalFieldExpr(e.unionSource.Namespace)
	set, field = append(set, isDifferent(field, `""`)), stringExpr(field, e.unionSource.Namespace.Text)
	if !e.isNamespaced && e.unionSource.DefaultNamespace == "" {
		return nil, field, set
	}
	return emitDefaultedVariable(variable, own, field, set), variable, nil
}

// emitDefaultedVariable prints a variable of a field, and of other if the tests of the field fail.
func emitDefaultedVariable(variable, other, field string, set []*predicate) []statement {
	if len(set) == 0 {
		return lineStatements(variable + " := " + field)
	}
	there := set[0]
	for _, one := range set[1:] {
		there = there.andWithoutRepeats(one)
	}
	return []statement{
		{lineOrHead: variable + " := " + other}, {lineOrHead: "if " + there.trueExpr, body: lineStatements(variable + " = " + field)},
	}
}

// optionalFieldExpr prints a field of a struct that refers, and the tests that it can be read.
func (e *indexFuncEmitter) optionalFieldExpr(part *model.Part) (field string, set []*predicate) {
	cur := e.objectValue
	for i, s := range part.Steps {
		prefix := part.Prefix(i)
		if known, ok := e.boundValues[prefix]; ok {
			cur = known
			continue
		}
		if s.Op == model.Match {
			continue
		}
		if s.Op == model.Lookup {
			cur.expr = cur.elementExpr(strconv.Quote(s.Name))
		} else {
			cur.expr += "." + s.Name
		}
		cur.isPointer = s.Pointer
		if s.Pointer && !e.testedPrefixes[prefix] {
			set = append(set, isDifferent(cur.expr, "nil"))
		}
	}
	return cur.dereferencedExpr(), set
}

// stringExpr prints a value as a string, which it is already unless its type is named.
func stringExpr(v string, named bool) string {
	if named {
		return "string(" + v + ")"
	}
	return v
}
