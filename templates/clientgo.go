// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// clientGo declares the index functions and listers for client-go's caches.
func clientGo(f *file) {
	for _, t := range f.p.Types {
		keys(f, t)
		keyMethods(f, t)
		extractors(f, t)
		indexers(f, t)
		cacheLister(f, t)
		for _, ix := range t.Indexes {
			cacheQueries(query{f, t, ix})
		}
	}
	inlined(f)
}

// indexers declares the names of the indexes, and the function that returns the index functions.
func indexers(f *file, t *model.Type) {
	var names strings.Builder
	var all []string
	for _, ix := range t.Indexes {
		names.WriteString(ix.Const + " = " + strconv.Quote(ix.Field) + "\n")
		all = append(all, ix.Const, foreignIndex(f, t, ix))
	}
	if len(all) > 0 {
		f.declare(fmt.Sprintf("The names of the indexes of %s, for ByIndex of an Indexer.", t.Plural),
			"const (\n"+names.String()+")")
	}
	f.declare(fmt.Sprintf("%s returns the index functions of %s. Pass them to AddIndexers of an Indexer or "+
		"an informer.", t.Register, t.Plural), fmt.Sprintf(`func %s() «cache».Indexers {
	return «cache».Indexers%s
}`, t.Register, fields(all...)))
}

// cacheLister declares the lister and its constructor.
func cacheLister(f *file, t *model.Type) {
	check := "nil"
	if len(t.Indexes) > 0 {
		check = f.inlined(model.InlinedCheck) + "(indexer, " + t.Register + "())"
	}
	f.declare(fmt.Sprintf("%s reads %s from a client-go Indexer. The objects are shared: do not modify them.",
		t.Lister, t.Plural), fmt.Sprintf(`type %s struct {
	«listers».ResourceIndexer[%s]
	indexer «cache».Indexer
}`, t.Lister, object(t)))
	resource := literal("«schema».GroupResource",
		"Group", strconv.Quote(t.Group), "Resource", strconv.Quote(t.Resource))
	f.declare(fmt.Sprintf("%s returns a lister of the %s in indexer. It returns an error if indexer lacks an "+
		"index of %s.", t.NewLister, t.Plural, t.Register),
		fmt.Sprintf(`func %s(indexer «cache».Indexer) (%[2]s, error) {
	return %[2]s{
		ResourceIndexer: «listers».New[%[3]s](indexer, %[4]s),
		indexer: indexer,
	}, %[5]s
}`, t.NewLister, t.Lister, object(t), resource, check))
}

// cacheQueries declares the queries of one index.
//
//	func (l DeviceCacheLister) BySite(site string) []*Device {
//		return cacheFind[*Device](l.indexer, DeviceBySiteIndex, site)
//	}
func cacheQueries(q query) {
	find := fmt.Sprintf("%s[%s](%s.indexer, %s, %s)",
		q.f.inlined(model.InlinedFind), object(q.t), q.t.ListerRecv, q.ix.Const, q.text())
	q.lookups(q.values(), "[]"+object(q.t), "("+object(q.t)+", bool)", find)
}

// lookups declares the queries of one index of another project's cache.
func (q query) lookups(params []string, all, first, find string) {
	method, which := q.ix.Method, "the"
	if q.ix.Unique {
		q.declare(method, q.returnsFirst(), params, first, q.f.inlined(model.InlinedFirst)+"("+find+")")
		method, which = q.ix.All, "all"
	}
	q.declare(method, q.returns(which), params, all, find)
}
