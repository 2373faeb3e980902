// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// indexerDecls declares the indexer of a type and its constructor.
//
//	type DeviceIndexer struct {
//		DeviceLister
//		*lister.Store[*Device]
//	}
func indexerDecls(f *jen.File, t *model.Type) {
	declare(f, fmt.Sprintf("%s is an indexed store of %s: %s that can be written to.", t.Indexer, t.Plural,
		article(t.Lister)),
		jen.Type().Id(t.Indexer).Struct(
			jen.Id(t.Lister),
			jen.Op("*").Qual(model.Lister, "Store").Types(object(t)),
		))
	declare(f, fmt.Sprintf("%s returns an empty %s.", t.NewIndexer, t.Indexer),
		jen.Func().Id(t.NewIndexer).Params(
			jen.Id("opts").Op("...").Qual(model.Store, "Option"),
		).Op("*").Id(t.Indexer).Block(
			jen.Id("s").Op(":=").Qual(model.Store, "ForObjects").Types(object(t)).
				Call(jen.Id("opts").Op("...")),
			jen.Return(jen.Op("&").Id(t.Indexer).ValuesFunc(fields(
				jen.Id(t.Lister), jen.Id(t.NewLister).Call(jen.Id("s")),
				jen.Id("Store"), jen.Id("s"),
			))),
		))
}

// addIndex prints the call that adds an index to the store s.
func addIndex(t *model.Type, ix *model.Index) *jen.Statement {
	args := []jen.Code{jen.Id("s"), jen.Lit(ix.Name), extractorOf(t, ix)}
	switch {
	case ix.Kind == model.Labels:
		return jen.Qual(model.Store, "AddLabels").Call(jen.Id("s"))
	case ix.Ordered && ix.Unique:
		return jen.Qual(model.Store, "AddUniqueOrdered").Call(append(args, order(ix))...)
	case ix.Ordered:
		return jen.Qual(model.Store, "AddOrdered").Call(append(args, order(ix))...)
	case ix.Unique:
		return jen.Qual(model.Store, "AddUnique").Call(args...)
	}
	return jen.Qual(model.Store, "AddIndex").Call(args...)
}

// order prints the function that compares the values of an index.
func order(ix *model.Index) *jen.Statement {
	if ix.Composite() || ix.Parts[0].Compares() {
		return goType(ix.Value).Dot("Compare")
	}
	return jen.Qual(model.Cmp, "Compare").Types(goType(ix.Value))
}

// extractorOf prints the function that an index calls.
func extractorOf(t *model.Type, ix *model.Index) *jen.Statement {
	switch ix.Kind {
	case model.Owners:
		return jen.Qual(model.Lister, "Owners").Types(object(t))
	case model.Controllers:
		return jen.Qual(model.Lister, "Controller").Types(object(t))
	}
	return jen.Id(ix.Func)
}
