// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"maps"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// emitFromStepWithElse prints the code for the rest of a path, and that for else= if the path has no value, or only
// empty strings. single reports whether it has at most one.
//
//	if d.Spec.Target != nil && d.Spec.Target.Name != "" {
//		return append(dst, d.Spec.Target.Name)
//	}
//	return append(dst, d.Name)
func (e *indexFuncEmitter) emitFromStepWithElse(at pathPosition, single bool) []statement {
	source, other := *e.unionSource, *e
	source.Parts, source.Else, source.OmitEmpty = []*model.Part{source.Else}, nil, false
	other.unionSource, other.boundValues, other.testedPrefixes = &source, maps.Clone(e.boundValues), maps.Clone(e.testedPrefixes)
	skip := at.skipUnlessNested
	at.skipUnlessNested, at.isElseEmitted = "", true
	if single && skip != "" {
		e.afterAppendStatement = skip
		code := e.emitFromStep(at)
		if code[0].guard == nil {
			return code // a condition has tested the value
		}
		return append(code, other.emitFromPart(pathPosition{skipUnlessNested: skip})...)
	}
	dst, n := e.index.Result, e.unionSource.CountVar
	none, instead := isTrue("len("+dst+") == "+n), other.emitFromPart(pathPosition{})
	if e.unionSource.Replaces() {
		none = isTrue(fmt.Sprintf(`!«slices».ContainsFunc(%s[%s:], func(value %s) bool { return value != "" })`,
			dst, n, goType(e.index.Value)))
		instead = append(lineStatements(dst+" = "+dst+"[:"+n+"]"), instead...)
	}
	code := append(lineStatements(n+" := len("+dst+")"), e.emitFromStep(at)...)
	return append(code, statement{guard: none, body: instead})
}
