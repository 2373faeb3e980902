// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareIndexFuncs declares the index functions.
//
//	func IndexDeviceByFirmware(dst []string, d *Device) []string {
//		if d.Spec.Firmware == nil {
//			return dst
//		}
//		return append(dst, d.Spec.Firmware.Version)
//	}
func declareIndexFuncs(f *file, t *model.Type) {
	for _, ix := range t.Indexes {
		if ix.Func == "" {
			continue
		}
		slice := "[]" + goType(ix.Value)
		f.declareFunction(fmt.Sprintf("%s appends %s to %s.", ix.Func, indexedValuesDoc(t, ix), ix.Result), "func "+ix.Func,
			[]string{ix.Result + " " + slice, t.ObjectParam + " " + objectType(t)}, slice,
			strings.TrimSuffix(printStatements(emitIndexFuncBody(f, t, ix)), "\n"))
	}
}

// emitIndexFuncBody returns the body of an index function. The sources of a union follow each other.
func emitIndexFuncBody(f *file, t *model.Type, ix *model.Index) (body []statement) {
	union := len(ix.Also) > 0
	for _, source := range ix.Sources() {
		e := &indexFuncEmitter{
			file: f, index: ix, unionSource: source, objectValue: pathValue{expr: t.ObjectParam}, isNamespaced: t.Namespaced,
			boundValues: map[string]pathValue{}, testedPrefixes: map[string]bool{}, returnsAppend: !union && (!source.Loops() || ix.Kind == model.States),
		}
		start := pathPosition{skipUnlessNested: "return " + ix.Result}
		if union {
			start.skipUnlessNested = "" // the next source follows
		}
		if ix.Kind == model.Funcs {
			body = append(body, e.emitUserFunction(t)...)
		} else {
			var tests []*predicate
			for _, c := range source.If {
				tests = append(tests, e.conditionTests(c, e.objectValue, "")...)
			}
			body = append(body, emitBehindTests(tests, start.skipUnlessNested, e.emitFromPart(start))...)
		}
	}
	if union {
		body = unnestGuards(shareGuards(body), "return "+ix.Result)
	}
	if union || ix.Loops() {
		body = append(body, lineStatements("return "+ix.Result)...)
	}
	return body
}

// indexFuncEmitter prints one source of the values of an index. It follows the paths one after the
// other. Each path is nested in the loops of the paths before it, so that several
// multi-valued paths yield every combination. Paths that share a loop share its code.
type indexFuncEmitter struct {
	file               *file
	index, unionSource *model.Index
	objectValue        pathValue            // the parameter
	isNamespaced       bool                 // the type is namespaced
	boundValues        map[string]pathValue // by prefix: elements and map values that have a variable
	// by prefix: pointers already tested for nil, and filters already tested
	testedPrefixes       map[string]bool
	returnsAppend        bool   // the function ends with the append; otherwise the append is assigned, since more may follow
	afterAppendStatement string // follows the append, before the code for else=
}

// pathValue is an expression along a path.
type pathValue struct {
	expr      string
	isPointer bool
}

func (v pathValue) dereferencedExpr() string {
	if v.isPointer {
		return "*" + v.expr
	}
	return v.expr
}

// elementExpr prints the list element or map value v[i].
func (v pathValue) elementExpr(i string) string {
	if v.isPointer {
		return "(" + v.dereferencedExpr() + ")[" + i + "]"
	}
	return v.expr + "[" + i + "]"
}

// pathPosition is a position along the paths of an index.
type pathPosition struct {
	partIndex        int       // the index of the path
	nextStepIndex    int       // the index of the next step
	value            pathValue // the value reached so far
	previousKeys     []string  // the keys of the previous paths
	skipUnlessNested string    // continues the innermost loop, or returns; "" if conditions nest the code after them

	isElseEmitted bool // the code for else= is known
}

// afterStep returns the place after the next step, which leads to v.
func (at pathPosition) afterStep(v pathValue) pathPosition {
	at.nextStepIndex++
	at.value = v
	return at
}

// emitFromPart prints the code for a path and all later ones.
func (e *indexFuncEmitter) emitFromPart(at pathPosition) []statement {
	switch {
	case at.partIndex < len(e.unionSource.Parts):
		at.nextStepIndex, at.value = 0, e.objectValue
		return e.emitFromStep(at)
	case e.index.Kind == model.Refs:
		return e.emitReference(at)
	}
	return lineStatements(e.appendKeyStatement(at.previousKeys))
}

// emitFromStep prints the code for the rest of a path and all later ones.
func (e *indexFuncEmitter) emitFromStep(at pathPosition) []statement {
	part := e.unionSource.Parts[at.partIndex]
	if steps, single := e.unionSource.Shared(); steps == at.nextStepIndex && !at.isElseEmitted {
		return e.emitFromStepWithElse(at, single)
	}
	if at.nextStepIndex == len(part.Steps) {
		return e.emitLaterPaths(at)
	}
	s := part.Steps[at.nextStepIndex]
	known, isKnown := e.boundValues[part.Prefix(at.nextStepIndex)]
	switch {
	case s.Op == model.Match:
		return e.emitRestBehindFilter(at, s)
	case isKnown:
		return e.emitFromStep(at.afterStep(known))
	case s.Op == model.Field:
		return e.emitRestBehindNilTest(at, pathValue{expr: at.value.expr + "." + s.Name, isPointer: s.Pointer})
	case e.unionSource.Spreads() && at.nextStepIndex == len(part.Steps)-1:
		return lineStatements(e.appendStatement(at.value.dereferencedExpr() + "..."))
	case s.Op == model.Lookup:
		next := pathValue{expr: s.Var, isPointer: s.Pointer}
		e.boundValues[part.Prefix(at.nextStepIndex)] = next
		return e.emitRestBehindLookup(at, s, next)
	}
	return e.emitRestInLoop(at, s)
}

// emitRestBehindNilTest prints the code after a step that leads to next. A nil next has no value.
func (e *indexFuncEmitter) emitRestBehindNilTest(at pathPosition, next pathValue) []statement {
	set := e.notNilTestOnce(at, next)
	return emitSkipOrNest("", set, at.skipUnlessNested, e.emitFromStep(at.afterStep(next)))
}

// emitLaterPaths prints the code for the later paths, once the value of a path is reached.
func (e *indexFuncEmitter) emitLaterPaths(at pathPosition) []statement {
	part := e.unionSource.Parts[at.partIndex]
	if part.Literal != "" {
		at.value = pathValue{expr: part.Literal}
	}
	rest := e.emitFromPart(pathPosition{partIndex: at.partIndex + 1, previousKeys: append(at.previousKeys, at.value.keyExpr(part)), skipUnlessNested: at.skipUnlessNested})
	switch {
	case part.Convert != nil && part.Convert.Unset:
		return emitSkipOrNest("", at.value.notIsZeroTest(), at.skipUnlessNested, rest)
	case e.unionSource.OmitEmpty:
		return emitSkipOrNest("", at.value.nonzeroTest(part), at.skipUnlessNested, rest)
	}
	return rest
}

// emitRestBehindLookup prints the lookup of a map value and the code after it.
func (e *indexFuncEmitter) emitRestBehindLookup(at pathPosition, s *model.Step, next pathValue) []statement {
	part, found := e.unionSource.Parts[at.partIndex], at.value.elementExpr(strconv.Quote(s.Name))
	last := at.nextStepIndex == len(part.Steps)-1
	switch {
	case last && e.unionSource.Split && !s.Pointer:
		return e.emitFromStep(at.afterStep(pathValue{expr: found}))
	case s.Pointer, last && (e.index.Kind == model.Refs || e.unionSource.OmitEmpty || part.Convert != nil && part.Convert.Unset):
		// Nil, empty and unset values are skipped, present or not.
		set := e.notNilTestOnce(at, next)
		return emitSkipOrNest(s.Var+" := "+found, set, at.skipUnlessNested, e.emitFromStep(at.afterStep(next)))
	}
	return emitSkipOrNest(s.Var+", ok := "+found, isTrue("ok"), at.skipUnlessNested, e.emitFromStep(at.afterStep(next)))
}

// emitRestInLoop prints a loop over a list or map with the code after it as its body. A struct that
// the body uses only once needs no variable.
func (e *indexFuncEmitter) emitRestInLoop(at pathPosition, s *model.Step) []statement {
	at.skipUnlessNested = "continue"
	prefix, all := e.unionSource.Parts[at.partIndex].Prefix(at.nextStepIndex), at.value.dereferencedExpr()
	if s.Counter == "" {
		e.boundValues[prefix] = pathValue{expr: s.Var, isPointer: s.Pointer}
		return []statement{{lineOrHead: "for _, " + s.Var + " := range " + all, body: e.emitRestBehindNilTest(at, e.boundValues[prefix])}}
	}
	element := at.value.elementExpr(s.Counter)
	e.boundValues[prefix] = pathValue{expr: "‹" + s.Var + "›", isPointer: true} // until its uses are counted
	body := e.emitRestBehindNilTest(at, e.boundValues[prefix])
	if countUses(body, "‹"+s.Var+"›") == 1 {
		replaceExpr(body, "‹"+s.Var+"›", element)
	} else {
		replaceExpr(body, "‹"+s.Var+"›", s.Var)
		body = append(lineStatements(s.Var+" := &"+element), body...)
	}
	return []statement{{lineOrHead: "for " + s.Counter + " := range " + all, body: body}}
}

// countUses counts how often code occurs in statements, as they are printed.
func countUses(body []statement, code string) int { return strings.Count(printStatements(body), code) }

// replaceExpr replaces code in statements.
func replaceExpr(body []statement, old, code string) {
	for i := range body {
		s := &body[i]
		s.lineOrHead = strings.ReplaceAll(s.lineOrHead, old, code)
		if s.guard != nil {
			s.guard = &predicate{strings.ReplaceAll(s.guard.falseExpr, old, code), strings.ReplaceAll(s.guard.trueExpr, old, code)}
		}
		replaceExpr(s.body, old, code)
	}
}

// notNilTestOnce returns the test that the pointer after the next step is set. It returns nil if
// the pointer was tested before, or if IsZero will be called on it.
func (e *indexFuncEmitter) notNilTestOnce(at pathPosition, v pathValue) *predicate {
	part := e.unionSource.Parts[at.partIndex]
	prefix, last := part.Prefix(at.nextStepIndex), at.nextStepIndex == len(part.Steps)-1
	if !part.Steps[at.nextStepIndex].Pointer || e.testedPrefixes[prefix] ||
		last && part.Convert != nil && part.Convert.NilSafe {
		return nil
	}
	e.testedPrefixes[prefix] = true
	return isDifferent(v.expr, "nil")
}

// appendKeyStatement prints the append of the values of all paths as one key.
func (e *indexFuncEmitter) appendKeyStatement(values []string) string {
	if !e.index.Composite() {
		return e.appendStatement(values[0])
	}
	var parts []string
	for i, p := range e.index.Parts {
		parts = append(parts, p.Field, values[i])
	}
	return e.appendStatement(literalExpr(goType(e.index.Value), parts...))
}

// appendStatement prints the append of v to the result.
func (e *indexFuncEmitter) appendStatement(v string) string {
	return e.assignOrReturnStatement("append(" + e.index.Result + ", " + v + ")")
}

// assignOrReturnStatement prints the assignment of the result. If nothing follows, it returns.
func (e *indexFuncEmitter) assignOrReturnStatement(v string) string {
	if e.returnsAppend {
		return "return " + v
	}
	return strings.TrimSuffix(e.index.Result+" = "+v+"\n"+e.afterAppendStatement, "\n")
}
