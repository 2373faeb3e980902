// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// sourceDecl declares the function that makes a source from a typed client. A type without
// a list type has none.
//
//	func NewDeviceSource(c source.Client[*DeviceList]) source.Source[*Device] {
//		return source.FromClient(c, func(l *DeviceList) []Device { return l.Items })
//	}
func sourceDecl(f *jen.File, t *model.Type) {
	if t.NewSource == "" {
		return
	}
	list := jen.Op("*").Add(ident(*t.List))
	from, item := "FromClient", ident(t.Object)
	if t.Pointers {
		from, item = "FromPointers", object(t)
	}
	items := jen.Func().Params(jen.Id("l").Add(list.Clone())).Index().Add(item).Block(
		jen.Return(jen.Id("l").Dot("Items")))
	declare(f, fmt.Sprintf("%s returns a source that reads %s through c, a typed client or its fake; see "+
		"source.FromClient.", t.NewSource, t.Plural),
		jen.Func().Id(t.NewSource).Params(jen.Id("c").Qual(model.Source,
			"Client").Types(list)).Add(sourceOf(t)).Block(
			jen.Return(jen.Qual(model.Source, from).Call(jen.Id("c"), items))))
}

func sourceOf(t *model.Type) *jen.Statement {
	return jen.Qual(model.Source, "Source").Types(object(t))
}
