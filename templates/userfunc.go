// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "github.com/indexer-gen/indexer-gen/templates/model"

// emitUserFunction prints the call of a user's function.
//
//	func IndexDeviceBySize(dst []string, d *Device) []string {
//		return append(dst, SizeOf(d))
//	}
func (e *indexFuncEmitter) emitUserFunction(t *model.Type) []statement {
	ix := e.unionSource
	call := identExpr(ix.Of) + "(" + t.ObjectParam + ")"
	switch part := ix.Parts[0]; {
	case part.Convert != nil:
		return e.emitConvertedCallResults(part, call)
	case ix.Several:
		call += "..."
	}
	return lineStatements(e.appendStatement(call))
}

// emitConvertedCallResults prints the conversion of a function's values to keys.
//
//	for _, value := range TimesOf(d) {
//		if !value.IsZero() {
//			dst = append(dst, canonical.TimeOf(value.Time))
//		}
//	}
func (e *indexFuncEmitter) emitConvertedCallResults(part *model.Part, call string) []statement {
	v := pathValue{expr: e.unionSource.ValueVar}
	var set *predicate
	if part.Convert.Unset {
		set = v.notIsZeroTest()
	}
	if !e.unionSource.Several && set == nil {
		return lineStatements(e.appendStatement(pathValue{expr: call}.keyExpr(part)))
	}
	add := lineStatements(e.appendStatement(v.keyExpr(part)))
	if !e.unionSource.Several {
		return emitSkipOrNest(v.expr+" := "+call, set, "", add)
	}
	return []statement{{lineOrHead: "for _, " + v.expr + " := range " + call, body: emitSkipOrNest("", set, "", add)}}
}
