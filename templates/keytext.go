// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// keyTextExpr prints a value of a part as the string that is its key in caches of other projects. Equal values
// have equal strings, and others do not.
func keyTextExpr(f *file, part *model.Part, v string) string {
	converted := func(name string) string {
		if part.Type.Ident == (model.Ident{Name: name}) && part.Type.Elem == nil {
			return v
		}
		return name + "(" + v + ")"
	}
	switch {
	case part.IsKey(), part.IsGroupKind():
		return v + ".String()"
	case part.IsQuantity():
		return f.inlinedFunctionName(model.InlinedQuantity) + "(" + v + ")"
	case part.Type.Ident == model.Ident{Path: model.Time, Name: "Time"}:
		return v + ".UTC().Format(«time».RFC3339Nano)"
	}
	switch part.Basic {
	case model.StringBasic:
		return converted("string")
	case model.IntBasic:
		return "«strconv».FormatInt(" + converted("int64") + ", 10)"
	case model.UintBasic:
		return "«strconv».FormatUint(" + converted("uint64") + ", 10)"
	case model.BoolBasic:
		return "«strconv».FormatBool(" + converted("bool") + ")"
	}
	return `«fmt».Sprintf("%#v", ` + v + ")"
}

// declareKeyEncodeMethods declares the methods that encode composite keys.
//
//	func (k DeviceSitePhaseCacheKey) text() string {
//		return cacheJoin(k.Site, string(k.Phase))
//	}
func declareKeyEncodeMethods(f *file, t *model.Type) {
	for _, ix := range t.Indexes {
		if !ix.Composite() {
			continue
		}
		var parts []string
		for _, part := range ix.Parts {
			parts = append(parts, keyTextExpr(f, part, "k."+part.Field))
		}
		join := f.inlinedFunctionName(model.InlinedJoin) + "("
		if ix.Format != "" {
			join = "«fmt».Sprintf(" + strconv.Quote(ix.Format) + ", "
		}
		f.declareFunction("", "func (k "+ix.Key+") text", nil, "string", "return "+join+strings.Join(parts, ", ")+")")
	}
}

// keyEncoderExpr prints the function that encodes the values of an index.
func keyEncoderExpr(f *file, ix *model.Index) string {
	value := ix.Parts[0]
	switch {
	case ix.Composite():
		return ix.Key + ".text"
	case ix.Kind == model.Labels || value.Basic == model.StringBasic:
		return f.inlinedFunctionName(model.InlinedText)
	case value.IsQuantity():
		return f.inlinedFunctionName(model.InlinedQuantity)
	case value.IsKey():
		return goType(value.Type) + ".String"
	}
	return fmt.Sprintf("func(value %s) string {\nreturn %s\n}", goType(value.Type), keyTextExpr(f, value, "value"))
}

// declareNamesAndIndexFuncs declares the names of the indexes, and the function that returns their index functions by
// name. The comments say which use names and functions have.
func declareNamesAndIndexFuncs(f *file, t *model.Type, useOfNames, useOfFuncs, result string) {
	var names strings.Builder
	var all []string
	for _, ix := range t.Indexes {
		names.WriteString(ix.Const + " = " + strconv.Quote(ix.Field) + "\n")
		all = append(all, ix.Const, stringKeyIndexFuncExpr(f, t, ix))
	}
	elements := bracedLiteralElements(all...)
	switch len(t.Indexes) {
	case 0:
	case 1:
		elements = "{" + all[0] + ": " + all[1] + "}"
		f.declare(all[0]+" is the name of the index, "+useOfNames+".", "const "+names.String())
	default:
		f.declare(fmt.Sprintf("The names of the indexes of %s, %s.", t.Plural, useOfNames), "const (\n"+names.String()+")")
	}
	f.declareFunction(fmt.Sprintf("%s returns the index functions of %s%s.", t.Register, t.Plural, useOfFuncs),
		"func "+t.Register, nil, result, "return "+result+elements)
}

// stringKeyIndexFuncExpr prints an index function of a cache of another project.
//
//	cacheFunc(CacheIndexDeviceBySite, cacheText)
func stringKeyIndexFuncExpr(f *file, t *model.Type, ix *model.Index) string {
	values := ix.Func
	switch ix.Kind {
	case model.Labels:
		values = f.inlinedFunctionName(model.InlinedLabels) + "[" + objectType(t) + "]"
	case model.Owners:
		values = f.inlinedFunctionName(model.InlinedOwners) + "[" + objectType(t) + "]"
	case model.Controllers:
		values = f.inlinedFunctionName(model.InlinedController) + "[" + objectType(t) + "]"
	}
	return f.inlinedFunctionName(model.InlinedFunc) + "(" + values + ", " + keyEncoderExpr(f, ix) + ")"
}

// queryKeyTextExpr prints the key of a query.
func (q methodPrinter) queryKeyTextExpr() string {
	switch {
	case q.index.Kind == model.Labels:
		return q.file.inlinedFunctionName(model.InlinedJoin) + "(" + q.index.Parts[0].Param + ", " + q.index.Parts[1].Param + ")"
	case q.index.Kind == model.States:
		return q.index.Parts[0].Literal
	case q.index.Composite():
		return q.valueExpr() + ".text()"
	}
	return keyTextExpr(q.file, q.index.Parts[0], q.index.Parts[0].Param)
}
