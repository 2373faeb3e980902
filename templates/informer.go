// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// informerDecls declares the informer of a type.
//
//	type DeviceInformer struct {
//		*informer.Informer[*Device]
//		lister DeviceLister
//	}
func informerDecls(f *jen.File, t *model.Type) {
	declare(f, fmt.Sprintf("%s keeps %s current with the API server and notifies handlers of changes.",
		t.Informer, article(t.Lister)),
		jen.Type().Id(t.Informer).Struct(
			jen.Op("*").Qual(model.Informer, "Informer").Types(object(t)),
			jen.Id("lister").Id(t.Lister),
		))
	text := fmt.Sprintf("%s returns an informer that reads %s from src when it is run.", t.NewInformer,
		t.Plural)
	switch {
	case t.Converted:
		text += " A server cannot be the source, because nothing is decoded into " + article(t.Kind) +
			"; see source.Map."
	case t.NewSource == "":
		text += fmt.Sprintf(" There is no New%sSource: no list type with Items []%s was found.", t.Kind, t.Kind)
	}
	declare(f, text,
		signature(f, jen.Func().Id(t.NewInformer), []jen.Code{
			jen.Id("src").Add(sourceOf(t)),
			jen.Id("opts").Op("...").Qual(model.Informer, "Option"),
		}, jen.Op("*").Id(t.Informer)).Block(
			jen.Id("s").Op(":=").Qual(model.Store, "ForObjects").Types(object(t)).Call(),
			jen.Return(jen.Op("&").Id(t.Informer).ValuesFunc(fields(
				jen.Id("Informer"), jen.Qual(model.Informer, "New").Call(
					jen.Id(t.ResourceVar), jen.Id("src"), jen.Id("s"), jen.Id("opts").Op("...")),
				jen.Id("lister"), jen.Id(t.NewLister).Call(jen.Id("s")),
			))),
		))
	declare(f,
		"Lister returns the live lister of the informer. It is incomplete until the informer has synced.",
		jen.Func().Params(jen.Id(t.InformerRecv).Op("*").Id(t.Informer)).
			Id("Lister").Params().Id(t.Lister).Block(
			jen.Return(jen.Id(t.InformerRecv).Dot("lister"))))
}
