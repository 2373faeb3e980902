// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
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
		keyMethods(f, p, t)
		extractors(f, p, t)
		registration(f, p, t)
		reader(f, t)
		for _, ix := range t.Indexes {
			readerQueries(query{f, p, t, ix})
		}
	}
	inlined(f, p)
}

// registration declares the index functions, and what adds them to a manager and to a fake client.
//
//	func deviceFieldIndexers() map[string]client.IndexerFunc {
//		return map[string]client.IndexerFunc{
//			"spec.site": fieldFunc(FieldIndexDeviceBySite, fieldText),
//		}
//	}
//
//	func AddDeviceIndexes(ctx context.Context, indexer client.FieldIndexer) (err error) {
//		for field, values := range deviceFieldIndexers() {
//			err = errors.Join(err, indexer.IndexField(ctx, &Device{}, field, values))
//		}
//		return err
//	}
func registration(f *jen.File, p *model.Package, t *model.Type) {
	indexers := jen.Map(jen.String()).Qual(model.Client, "IndexerFunc")
	var all []jen.Code
	for _, ix := range t.Indexes {
		all = append(all, jen.Lit(ix.Field), foreignIndex(p, t, ix))
	}
	declare(f, fmt.Sprintf("%s returns the index functions of %s by the names of their indexes.",
		t.FieldIndexers, t.Plural),
		jen.Func().Id(t.FieldIndexers).Params().Add(indexers).Block(
			jen.Return(indexers.Clone().ValuesFunc(fields(all...)))))
	each := jen.For(jen.List(jen.Id("field"), jen.Id("values")).Op(":=").Range().Id(t.FieldIndexers).Call())
	object := jen.Op("&").Add(ident(t.Object)).Values()
	declare(f, fmt.Sprintf("%s adds the indexes of %s to a cache, for example to mgr.GetFieldIndexer(). Call it "+
		"before the manager starts.", t.Register, t.Plural),
		jen.Func().Id(t.Register).Params(
			jen.Id("ctx").Qual(model.Context, "Context"),
			jen.Id("indexer").Qual(model.Client, "FieldIndexer"),
		).Params(jen.Err().Error()).Block(
			each.Clone().Block(jen.Err().Op("=").Qual(model.Errors, "Join").Call(jen.Err(),
				jen.Id("indexer").Dot("IndexField").Call(
					jen.Id("ctx"), object, jen.Id("field"), jen.Id("values")))),
			jen.Return(jen.Err())))
	declare(f, fmt.Sprintf("%s adds the indexes of %s to a fake.ClientBuilder and returns it. Set its scheme "+
		"first.", t.RegisterFake, t.Plural),
		jen.Func().Id(t.RegisterFake).Types(jen.Id("B").Interface(
			jen.Id("WithIndex").Params(
				jen.Qual(model.KubeTypes, "Object"), jen.String(), jen.Qual(model.Client, "IndexerFunc"),
			).Id("B"),
		)).Params(jen.Id("b").Id("B")).Id("B").Block(
			each.Clone().Block(jen.Id("b").Op("=").Id("b").Dot("WithIndex").Call(
				object.Clone(), jen.Id("field"), jen.Id("values"))),
			jen.Return(jen.Id("b"))))
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
	items := []jen.Code{jen.Return(jen.Id("list").Dot("Items"), jen.Nil())}
	if !t.Pointers {
		items = []jen.Code{
			jen.Id("objs").Op(":=").Make(jen.Index().Add(object(t)), jen.Len(jen.Id("list").Dot("Items"))),
			jen.For(jen.Id("i").Op(":=").Range().Id("list").Dot("Items")).Block(
				jen.Id("objs").Index(jen.Id("i")).Op("=").Op("&").Id("list").Dot("Items").Index(jen.Id("i"))),
			jen.Return(jen.Id("objs"), jen.Nil()),
		}
	}
	failed := jen.If(jen.Err().Op("!=").Nil()).Block(jen.Return(jen.Nil(), jen.Qual(model.Format, "Errorf").Call(
		jen.Lit(fmt.Sprintf("list %s by %%s: %%w; if the cache lacks the index, call %s before the manager starts",
			t.Plural, t.Register)), jen.Id("index"), jen.Err())))
	matching := jen.Qual(model.Client, "MatchingFields").Values(jen.Id("index").Op(":").Id("value"))
	f.Line()
	f.Add(signature(f, jen.Func().Params(recv).Id("list"), []jen.Code{
		jen.Id("ctx").Qual(model.Context, "Context"),
		jen.List(jen.Id("index"), jen.Id("value")).String(),
		jen.Id("opts").Index().Qual(model.Client, "ListOption"),
	}, jen.Params(jen.Index().Add(object(t)), jen.Error())).Block(append([]jen.Code{
		jen.Var().Id("list").Add(ident(*t.List)),
		jen.Err().Op(":=").Id(t.ListerRecv).Dot("reader").Dot("List").Call(
			jen.Id("ctx"), jen.Op("&").Id("list"),
			jen.Append(jen.Qual(model.Slices, "Clip").Call(jen.Id("opts")), matching).Op("...")),
		failed,
	}, items...)...))
}

// readerQueries declares the queries of one index.
//
//	func (r DeviceReader) BySite(ctx context.Context, site string, opts ...client.ListOption) ([]*Device, error) {
//		return r.list(ctx, "spec.site", site, opts)
//	}
func readerQueries(q query) {
	params := append([]jen.Code{jen.Id("ctx").Qual(model.Context, "Context")}, q.values()...)
	params = append(params, jen.Id("opts").Op("...").Qual(model.Client, "ListOption"))
	slice := jen.Params(jen.Index().Add(object(q.t)), jen.Error())
	list := jen.Id(q.t.ListerRecv).Dot("list").Call(jen.Id("ctx"), jen.Lit(q.ix.Field),
		q.text(), jen.Id("opts"))
	if q.ix.Requests != "" {
		defer q.references()
	}
	if !q.ix.Unique {
		q.declare(q.ix.Method, q.returns("the"), params, slice, list)
		return
	}
	q.declare(q.ix.Method, q.returnsFirst(), params, jen.Params(object(q.t), jen.Bool(), jen.Error()),
		jen.Id(q.p.Target.NameOf(model.InlinedFirst)).Call(list.Clone()))
	q.declare(q.ix.All, q.returns("all"), params, slice, list)
}

// references declares the methods that only references have.
//
//	func (r DeviceReader) RequestsBySecret(ctx context.Context, obj client.Object) []reconcile.Request {
//		objs, err := r.BySecret(ctx, client.ObjectKeyFromObject(obj))
//		return fieldRequests(ctx, objs, err)
//	}
//
//	func (r DeviceReader) HasSecret(ctx context.Context, secret types.NamespacedName) (bool, error) {
//		objs, err := r.BySecret(ctx, secret, client.Limit(1))
//		return len(objs) > 0, err
//	}
func (q query) references() {
	ix, recv, ctx := q.ix, jen.Id(q.t.ListerRecv), jen.Id("ctx").Qual(model.Context, "Context")
	all := cmp.Or(ix.All, ix.Method)
	key := jen.Qual(model.Client, "ObjectKeyFromObject").Call(jen.Id("obj"))
	if !ix.To.Namespaced {
		key = jen.Id("obj").Dot("GetName").Call()
	}
	objs := jen.List(jen.Id("objs"), jen.Err()).Op(":=").Add(recv).Dot(all)
	method := func(name, text string, params []jen.Code, result jen.Code, body ...jen.Code) {
		head := jen.Func().Params(recv.Clone().Id(q.t.Lister)).Id(name)
		declare(q.f, name+" "+text, signature(q.f, head, params, result).Block(body...))
	}
	method(ix.Requests, "returns a request for each "+q.t.Kind+" that refers to obj. Pass it to "+
		"handler.EnqueueRequestsFromMapFunc.",
		[]jen.Code{ctx, jen.Id("obj").Qual(model.Client, "Object")},
		jen.Index().Qual(model.Reconcile, "Request"),
		objs.Clone().Call(jen.Id("ctx"), key),
		jen.Return(jen.Id(q.p.Target.NameOf(model.InlinedRequests)).Call(
			jen.Id("ctx"), jen.Id("objs"), jen.Err())))
	param := ix.Parts[0].Param
	method(ix.Has, "reports whether "+article(q.t.Kind)+" refers to "+param+".",
		append([]jen.Code{ctx}, q.values()...), jen.Params(jen.Bool(), jen.Error()),
		objs.Clone().Call(jen.Id("ctx"), jen.Id(param), jen.Qual(model.Client, "Limit").Call(jen.Lit(1))),
		jen.Return(jen.Len(jen.Id("objs")).Op(">").Lit(0), jen.Err()))
}
