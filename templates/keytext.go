// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// keyText prints a value of a part as the string that is its key in caches of other projects. Equal values
// have equal strings, and others do not.
func keyText(p *model.Package, part *model.Part, v *jen.Statement) *jen.Statement {
	converted := func(name string) *jen.Statement {
		if part.Type.Ident == (model.Ident{Name: name}) && part.Type.Elem == nil {
			return v
		}
		return jen.Id(name).Call(v)
	}
	switch id := part.Type.Ident; {
	case part.IsKey():
		return v.Dot("String").Call()
	case part.IsQuantity():
		return jen.Id(p.Target.NameOf(model.InlinedQuantity)).Call(v)
	case id == model.Ident{Path: model.Time, Name: "Time"}:
		return v.Dot("UTC").Call().Dot("Format").Call(jen.Qual(model.Time, "RFC3339Nano"))
	case part.Basic == model.StringBasic:
		return converted("string")
	case part.Basic == model.IntBasic:
		return jen.Qual(model.Conversions, "FormatInt").Call(converted("int64"), jen.Lit(10))
	case part.Basic == model.UintBasic:
		return jen.Qual(model.Conversions, "FormatUint").Call(converted("uint64"), jen.Lit(10))
	case part.Basic == model.BoolBasic:
		return jen.Qual(model.Conversions, "FormatBool").Call(converted("bool"))
	}
	return jen.Qual(model.Format, "Sprintf").Call(jen.Lit("%#v"), v)
}

// keyMethods declares the methods that encode composite keys.
//
//	func (k DeviceSitePhaseCacheKey) text() string {
//		return cacheJoin(k.Site, string(k.Phase))
//	}
func keyMethods(f *jen.File, p *model.Package, t *model.Type) {
	for _, ix := range t.Indexes {
		if !ix.Composite() {
			continue
		}
		var parts []jen.Code
		for _, part := range ix.Parts {
			parts = append(parts, keyText(p, part, jen.Id("k").Dot(part.Field)))
		}
		f.Line()
		f.Func().Params(jen.Id("k").Id(ix.Key)).Id("text").Params().String().Block(
			jen.Return(jen.Id(p.Target.NameOf(model.InlinedJoin)).Call(parts...)))
	}
}

// encoder prints the function that encodes the values of an index.
func encoder(p *model.Package, ix *model.Index) *jen.Statement {
	value := ix.Parts[0]
	switch {
	case ix.Composite():
		return jen.Id(ix.Key).Dot("text")
	case ix.Kind == model.Labels || value.Basic == model.StringBasic:
		return jen.Id(p.Target.NameOf(model.InlinedText))
	case value.IsQuantity():
		return jen.Id(p.Target.NameOf(model.InlinedQuantity))
	case value.IsKey():
		return goType(value.Type).Dot("String")
	}
	return jen.Func().Params(jen.Id("value").Add(goType(value.Type))).String().Block(
		jen.Return(keyText(p, value, jen.Id("value"))))
}

// foreignIndex prints an index function of a cache of another project.
//
//	cacheFunc(CacheIndexDeviceBySite, cacheText)
func foreignIndex(p *model.Package, t *model.Type, ix *model.Index) *jen.Statement {
	values := jen.Id(ix.Func)
	for kind, function := range map[model.Kind]model.InlinedFunction{
		model.Labels: model.InlinedLabels, model.Owners: model.InlinedOwners,
		model.Controllers: model.InlinedController,
	} {
		if ix.Kind == kind {
			values = jen.Id(p.Target.NameOf(function)).Types(object(t))
		}
	}
	return jen.Id(p.Target.NameOf(model.InlinedFunc)).Call(values, encoder(p, ix))
}

// text prints the key of a query.
func (q query) text() *jen.Statement {
	switch {
	case q.ix.Kind == model.Labels:
		return jen.Id(q.p.Target.NameOf(model.InlinedJoin)).Call(
			jen.Id(q.ix.Parts[0].Param), jen.Id(q.ix.Parts[1].Param))
	case q.ix.Composite():
		return q.value().Dot("text").Call()
	}
	return keyText(q.p, q.ix.Parts[0], jen.Id(q.ix.Parts[0].Param))
}
