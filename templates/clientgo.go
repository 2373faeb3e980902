// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"

	"github.com/dave/jennifer/jen"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// clientGo declares the index functions and listers for client-go's caches.
func clientGo(f *jen.File, p *model.Package) {
	for _, t := range p.Types {
		keys(f, t)
		keyMethods(f, p, t)
		extractors(f, p, t)
		indexers(f, p, t)
		cacheLister(f, p, t)
		for _, ix := range t.Indexes {
			cacheQueries(query{f, p, t, ix})
		}
	}
	inlined(f, p)
}

// indexers declares the names of the indexes, and the function that returns the index functions.
//
//	func DeviceIndexers() cache.Indexers {
//		return cache.Indexers{
//			DeviceBySiteIndex: cacheFunc(CacheIndexDeviceBySite, cacheText),
//		}
//	}
func indexers(f *jen.File, p *model.Package, t *model.Type) {
	var names, all []jen.Code
	for _, ix := range t.Indexes {
		names = append(names, jen.Id(ix.Const).Op("=").Lit(ix.Field))
		all = append(all, jen.Id(ix.Const), foreignIndex(p, t, ix))
	}
	if len(names) > 0 {
		declare(f, fmt.Sprintf("The names of the indexes of %s, for ByIndex of an Indexer.", t.Plural),
			jen.Const().Defs(names...))
	}
	declare(f, fmt.Sprintf("%s returns the index functions of %s. Pass them to AddIndexers of an Indexer or "+
		"an informer.", t.Register, t.Plural),
		jen.Func().Id(t.Register).Params().Qual(model.Cache, "Indexers").Block(
			jen.Return(jen.Qual(model.Cache, "Indexers").ValuesFunc(fields(all...)))))
}

// cacheLister declares the lister and its constructor.
//
//	type DeviceCacheLister struct {
//		listers.ResourceIndexer[*Device]
//		indexer cache.Indexer
//	}
func cacheLister(f *jen.File, p *model.Package, t *model.Type) {
	check := jen.Nil()
	if len(t.Indexes) > 0 {
		check = jen.Id(p.Target.NameOf(model.InlinedCheck)).Call(jen.Id("indexer"), jen.Id(t.Register).Call())
	}
	declare(f, fmt.Sprintf("%s reads %s from a client-go Indexer. The objects are shared: do not modify them.",
		t.Lister, t.Plural),
		jen.Type().Id(t.Lister).Struct(
			jen.Qual(model.Listers, "ResourceIndexer").Types(object(t)),
			jen.Id("indexer").Qual(model.Cache, "Indexer"),
		))
	resource := literal(jen.Qual(model.Schema, "GroupResource"),
		jen.Id("Group"), jen.Lit(t.Group), jen.Id("Resource"), jen.Lit(t.Resource))
	declare(f, fmt.Sprintf("%s returns a lister of the %s in indexer. It returns an error if indexer lacks an "+
		"index of %s.", t.NewLister, t.Plural, t.Register),
		jen.Func().Id(t.NewLister).Params(jen.Id("indexer").Qual(model.Cache, "Indexer")).
			Params(jen.Id(t.Lister), jen.Error()).Block(
			jen.Return(
				jen.Id(t.Lister).ValuesFunc(fields(
					jen.Id("ResourceIndexer"),
					jen.Qual(model.Listers, "New").Types(object(t)).Call(jen.Id("indexer"), resource),
					jen.Id("indexer"), jen.Id("indexer"))),
				check)))
}

// cacheQueries declares the queries of one index.
//
//	func (l DeviceCacheLister) BySite(site string) []*Device {
//		return cacheFind[*Device](l.indexer, DeviceBySiteIndex, site)
//	}
func cacheQueries(q query) {
	slice := jen.Index().Add(object(q.t))
	find := jen.Id(q.p.Target.NameOf(model.InlinedFind)).Types(object(q.t)).Call(
		jen.Id(q.t.ListerRecv).Dot("indexer"), jen.Id(q.ix.Const), q.text())
	if !q.ix.Unique {
		q.declare(q.ix.Method, q.returns("the"), q.values(), slice, find)
		return
	}
	q.declare(q.ix.Method, q.returnsFirst(), q.values(), jen.Params(object(q.t), jen.Bool()),
		jen.Id(q.p.Target.NameOf(model.InlinedFirst)).Call(find.Clone()))
	q.declare(q.ix.All, q.returns("all"), q.values(), slice, find)
}
