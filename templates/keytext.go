// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// keyText prints a value of a part as the string that is its key in caches of other projects. Equal values
// have equal strings, and others do not.
func keyText(f *file, part *model.Part, v string) string {
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
		return f.inlined(model.InlinedQuantity) + "(" + v + ")"
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

// keyMethods declares the methods that encode composite keys.
//
//	func (k DeviceSitePhaseCacheKey) text() string {
//		return cacheJoin(k.Site, string(k.Phase))
//	}
func keyMethods(f *file, t *model.Type) {
	for _, ix := range t.Indexes {
		if !ix.Composite() {
			continue
		}
		var parts []string
		for _, part := range ix.Parts {
			parts = append(parts, keyText(f, part, "k."+part.Field))
		}
		join := f.inlined(model.InlinedJoin) + "("
		if ix.Format != "" {
			join = "«fmt».Sprintf(" + strconv.Quote(ix.Format) + ", "
		}
		f.function("", "func (k "+ix.Key+") text", nil, "string", "return "+join+strings.Join(parts, ", ")+")")
	}
}

// encoder prints the function that encodes the values of an index.
func encoder(f *file, ix *model.Index) string {
	value := ix.Parts[0]
	switch {
	case ix.Composite():
		return ix.Key + ".text"
	case ix.Kind == model.Labels || value.Basic == model.StringBasic:
		return f.inlined(model.InlinedText)
	case value.IsQuantity():
		return f.inlined(model.InlinedQuantity)
	case value.IsKey():
		return goType(value.Type) + ".String"
	}
	return fmt.Sprintf("func(value %s) string {\nreturn %s\n}", goType(value.Type), keyText(f, value, "value"))
}

// indexFuncs declares the names of the indexes, and the function that returns their index functions by name.
// The comments say which use names and functions have.
func indexFuncs(f *file, t *model.Type, useOfNames, useOfFuncs, result string) {
	var names strings.Builder
	var all []string
	for _, ix := range t.Indexes {
		names.WriteString(ix.Const + " = " + strconv.Quote(ix.Field) + "\n")
		all = append(all, ix.Const, foreignIndex(f, t, ix))
	}
	elements := fields(all...)
	switch len(t.Indexes) {
	case 0:
	case 1:
		elements = "{" + all[0] + ": " + all[1] + "}"
		f.declare(all[0]+" is the name of the index, "+useOfNames+".", "const "+names.String())
	default:
		f.declare(fmt.Sprintf("The names of the indexes of %s, %s.", t.Plural, useOfNames), "const (\n"+names.String()+")")
	}
	f.function(fmt.Sprintf("%s returns the index functions of %s%s.", t.Register, t.Plural, useOfFuncs),
		"func "+t.Register, nil, result, "return "+result+elements)
}

// foreignIndex prints an index function of a cache of another project.
//
//	cacheFunc(CacheIndexDeviceBySite, cacheText)
func foreignIndex(f *file, t *model.Type, ix *model.Index) string {
	values := ix.Func
	switch ix.Kind {
	case model.Labels:
		values = f.inlined(model.InlinedLabels) + "[" + object(t) + "]"
	case model.Owners:
		values = f.inlined(model.InlinedOwners) + "[" + object(t) + "]"
	case model.Controllers:
		values = f.inlined(model.InlinedController) + "[" + object(t) + "]"
	}
	return f.inlined(model.InlinedFunc) + "(" + values + ", " + encoder(f, ix) + ")"
}

// text prints the key of a query.
func (q query) text() string {
	switch {
	case q.ix.Kind == model.Labels:
		return q.f.inlined(model.InlinedJoin) + "(" + q.ix.Parts[0].Param + ", " + q.ix.Parts[1].Param + ")"
	case q.ix.Kind == model.States:
		return q.ix.Parts[0].Literal
	case q.ix.Composite():
		return q.value() + ".text()"
	}
	return keyText(q.f, q.ix.Parts[0], q.ix.Parts[0].Param)
}
