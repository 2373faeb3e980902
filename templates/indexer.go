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
//		lister.Writer[*Device]
//	}
func indexerDecls(f *jen.File, t *model.Type) {
	declare(f, fmt.Sprintf("%s is an indexed store of %s: %s that can be written to.", t.Indexer, t.Plural,
		article(t.Lister)),
		jen.Type().Id(t.Indexer).Struct(
			jen.Id(t.Lister),
			jen.Qual(model.Lister, "Writer").Types(object(t)),
		))
	declare(f, fmt.Sprintf("%s returns an empty %s.", t.NewIndexer, t.Indexer),
		jen.Func().Id(t.NewIndexer).Params(
			jen.Id("opts").Op("...").Qual(model.Store, "Option"),
		).Op("*").Id(t.Indexer).Block(
			jen.Id("s").Op(":=").Qual(model.Store, "ForObjects").Types(object(t)).
				Call(jen.Id("opts").Op("...")),
			jen.Return(jen.Op("&").Id(t.Indexer).ValuesFunc(fields(
				jen.Id(t.Lister), jen.Id(t.NewLister).Call(jen.Id("s")),
				jen.Id("Writer"), jen.Qual(model.Lister, "NewWriter").Call(jen.Id("s")),
			))),
		))
}
