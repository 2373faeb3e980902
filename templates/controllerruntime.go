// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// controllerRuntime declares the registration of field indexes and the readers that query them.
func controllerRuntime(f *jen.File, p *model.Package) {
	for _, t := range p.Types {
		if len(t.Indexes) == 0 {
			continue
		}
		keys(f, t)
		extractors(f, t)
		registration(f, t)
		reader(f, t)
		for _, ix := range t.Indexes {
			readerQueries(query{f, t, ix})
		}
	}
}

// registration declares the functions that add the indexes to a manager and to a fake client.
//
//	func AddDeviceIndexes(ctx context.Context, indexer client.FieldIndexer) error {
//		return errors.Join(
//			indexer.IndexField(ctx, &Device{}, "BySite", stringindex.FieldFunc[client.Object](fieldDeviceBySite)),
//		)
//	}
func registration(f *jen.File, t *model.Type) {
	var adds []jen.Code
	fake := jen.Id("b")
	for _, ix := range t.Indexes {
		function := jen.Qual(model.Strings, "FieldFunc").Types(jen.Qual(model.Client, "Object")).
			Call(stringExtractorOf(t, ix))
		empty := jen.Op("&").Add(ident(t.Object)).Values()
		adds = append(adds, jen.Line().Id("indexer").Dot("IndexField").Call(
			jen.Id("ctx"), empty, jen.Lit(ix.Method), function))
		fake = fake.Op(".").Line().Id("WithIndex").Call(empty.Clone(), jen.Lit(ix.Method), function.Clone())
	}
	declare(f, fmt.Sprintf("%s adds the indexes of %s to a cache, for example to mgr.GetFieldIndexer(). Call it "+
		"before the manager starts.", t.Register, t.Plural),
		jen.Func().Id(t.Register).Params(
			jen.Id("ctx").Qual(model.Context, "Context"),
			jen.Id("indexer").Qual(model.Client, "FieldIndexer"),
		).Error().Block(
			jen.Return(jen.Qual(model.Errors, "Join").Call(append(adds, jen.Line())...))))
	declare(f, fmt.Sprintf("%s adds the indexes of %s to a fake.ClientBuilder and returns it. Set its scheme "+
		"first.", t.RegisterFake, t.Plural),
		jen.Func().Id(t.RegisterFake).Types(jen.Id("B").Interface(
			jen.Id("WithIndex").Params(
				jen.Qual(model.KubeTypes, "Object"), jen.String(), jen.Qual(model.Client, "IndexerFunc"),
			).Id("B"),
		)).Params(jen.Id("b").Id("B")).Id("B").Block(jen.Return(fake)))
}

// reader declares the reader, its constructor and the list that all its queries share.
//
//	type DeviceReader struct {
//		reader client.Reader
//	}
func reader(f *jen.File, t *model.Type) {
	recv := jen.Id(t.ListerRecv).Id(t.Lister)
	declare(f, fmt.Sprintf("%s queries the indexes of %s through a client.Reader. Each query takes the options of "+
		"List, such as client.InNamespace.", t.Lister, t.Plural),
		jen.Type().Id(t.Lister).Struct(jen.Id("reader").Qual(model.Client, "Reader")))
	declare(f, fmt.Sprintf("%s returns a reader of the %s that reader reads from a cache with the indexes of %s.",
		t.NewLister, t.Plural, t.Register),
		jen.Func().Id(t.NewLister).Params(jen.Id("reader").Qual(model.Client, "Reader")).Id(t.Lister).Block(
			jen.Return(jen.Id(t.Lister).Values(jen.Id("reader").Op(":").Id("reader")))))
	items := jen.Id("list").Dot("Items")
	if !t.Pointers {
		items = jen.Qual(model.Strings, "Pointers").Call(items)
	}
	matching := jen.Qual(model.Client, "MatchingFields").Values(jen.Id("index").Op(":").Id("value"))
	f.Line()
	f.Add(jen.Func().Params(recv).Id("list").Params(
		jen.Id("ctx").Qual(model.Context, "Context"),
		jen.List(jen.Id("index"), jen.Id("value")).String(),
		jen.Id("opts").Index().Qual(model.Client, "ListOption"),
	).Params(jen.Index().Add(object(t)), jen.Error()).Block(
		jen.Var().Id("list").Add(ident(*t.List)),
		jen.Err().Op(":=").Id(t.ListerRecv).Dot("reader").Dot("List").Call(
			jen.Id("ctx"), jen.Op("&").Id("list"),
			jen.Append(jen.Qual(model.Slices, "Clip").Call(jen.Id("opts")), matching).Op("...")),
		jen.Return(items, jen.Err()),
	))
}

// readerQueries declares the queries of one index.
//
//	func (r DeviceReader) BySite(ctx context.Context, site string, opts ...client.ListOption) ([]*Device, error) {
//		return r.list(ctx, "BySite", stringindex.Encode(site), opts)
//	}
func readerQueries(q query) {
	params := append([]jen.Code{jen.Id("ctx").Qual(model.Context, "Context")}, q.values()...)
	params = append(params, jen.Id("opts").Op("...").Qual(model.Client, "ListOption"))
	slice := jen.Params(jen.Index().Add(object(q.t)), jen.Error())
	list := jen.Id(q.t.ListerRecv).Dot("list").Call(jen.Id("ctx"), jen.Lit(q.ix.Method),
		jen.Qual(model.Strings, "Encode").Call(q.stringValue()), jen.Id("opts"))
	if !q.ix.Unique {
		q.declare(q.ix.Method, q.returns("the"), params, slice, list)
		return
	}
	q.declare(q.ix.Method, q.returnsFirst(), params, jen.Params(object(q.t), jen.Bool(), jen.Error()),
		jen.Qual(model.Strings, "FirstOf").Call(list.Clone()))
	q.declare(q.ix.All, q.returns("all"), params, slice, list)
}
