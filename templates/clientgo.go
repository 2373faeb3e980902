// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
	"fmt"
	"strconv"

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

// indexers declares what adds the indexes to an Indexer.
func indexers(f *file, t *model.Type) {
	indexFuncs(f, t, "for ByIndex of an Indexer", ", for AddIndexers", "«cache».Indexers")
	f.function(fmt.Sprintf("%s adds the indexes of %s that indexer lacks, before others use it.", t.Add, t.Plural),
		"func "+t.Add, []string{"indexer «cache».Indexer"}, "error",
		fmt.Sprintf("return %s(indexer, %s())", f.inlined(model.InlinedAdd), t.Register))
	f.function(fmt.Sprintf("%s returns an Indexer of objs with the indexes of %s, for tests.",
		t.NewIndexer, t.Plural), "func "+t.NewIndexer, []string{"objs ..." + object(t)}, "«cache».Indexer",
		fmt.Sprintf("return %s(%s(), objs)", f.inlined(model.InlinedNew), t.Register))
}

// cacheLister declares the lister and its constructor.
func cacheLister(f *file, t *model.Type) {
	check := "nil"
	if len(t.Indexes) > 0 {
		check = f.inlined(model.InlinedCheck) + "(indexer, " + t.Register + "())"
	}
	f.declare(fmt.Sprintf("%s reads %s from an Indexer. They are shared: do not modify them.", t.Lister, t.Plural),
		fmt.Sprintf("type %s struct{ %s[%s] }", t.Lister, f.inlined(model.InlinedReader), object(t)))
	resource := literal("«schema».GroupResource",
		"Group", strconv.Quote(t.Group), "Resource", strconv.Quote(t.Resource))
	f.declare(fmt.Sprintf("%s returns a lister of indexer. It fails if indexer lacks an index of %s.",
		t.NewLister, t.Plural), fmt.Sprintf(`func %s(indexer «cache».Indexer) (%[2]s, error) {
	typed := «listers».New[%[3]s](indexer, %[4]s)
	return %[2]s{%[5]s[%[3]s]{typed, indexer}}, %[6]s
}`, t.NewLister, t.Lister, object(t), resource, f.inlined(model.InlinedReader), check))
}

// cacheQueries declares the queries of one index.
//
//	func (l DeviceCacheLister) BySite(site string) []*Device { return l.find(DeviceBySiteIndex, site) }
func cacheQueries(q query) {
	args, recv := fmt.Sprintf("(%s, %s)", q.ix.Const, q.text()), q.t.ListerRecv
	q.lookups(q.values(), "[]"+object(q.t), "("+object(q.t)+", bool)", recv+".find"+args)
	q.declare(q.ix.Has, q.has()+".", q.values(), "bool", recv+".count"+args+" > 0")
	q.declare(q.ix.Count, q.counts()+".", q.values(), "int", recv+".count"+args)
	if q.ix.Kind == model.Labels {
		q.cacheLabels()
	}
}

// cacheLabels declares the other methods of an index of labels.
//
//	func (l DeviceCacheLister) List(selector labels.Selector) ([]*Device, error) {
//		return cacheSelect(l.cacheReader, DeviceByLabelIndex, "", selector)
//	}
func (q query) cacheLabels() {
	recv, all := q.t.ListerRecv, "[]"+object(q.t)
	key, value := q.ix.Parts[0].Param, q.ix.Parts[1].Param
	byLabel := recv + "." + q.ix.Method + "(" + key + ", " + value + ")"
	list := func(namespace string) string {
		return fmt.Sprintf("%s(%s.%s, %s, %s, selector)", q.f.inlined(model.InlinedSelect), recv,
			q.f.inlined(model.InlinedReader), q.ix.Const, namespace)
	}
	q.declare("ByLabelKey", q.withKey(), []string{key + " string"}, all, fmt.Sprintf("%s.find(%s, %s(%s))",
		recv, q.ix.Const, q.f.inlined(model.InlinedJoin), key))
	q.declare("List", q.selected(""), []string{"selector «labels».Selector"}, "("+all+", error)", list(`""`))
	if !q.t.Namespaced {
		return
	}
	const in = " in namespace, or in all if it is empty,"
	q.declare("ByLabelInNamespace", "returns the "+q.t.Plural+in+" "+q.condition()+".",
		[]string{"namespace, " + key + ", " + value + " string"}, all,
		fmt.Sprintf(`«slices».DeleteFunc(%s, func(obj %s) bool {
	return namespace != "" && obj.GetNamespace() != namespace
})`, byLabel, object(q.t)))
	q.declare("ListInNamespace", q.selected(in),
		[]string{"namespace string", "selector «labels».Selector"}, "("+all+", error)", list("namespace"))
}

// withKey and selected are comments of methods of an index of labels.
func (q query) withKey() string {
	return "returns the " + q.t.Plural + " that have the label " + q.ix.Parts[0].Param + ", with any value."
}

func (q query) selected(in string) string {
	return fmt.Sprintf("returns the %s%s that selector matches. If selector requires labels, it reads only the "+
		"%[1]s that have one of them.", q.t.Plural, in)
}

// has and counts are comments of the methods that return no objects, without a full stop.
func (q query) has() string { return "reports whether " + q.finder() + " finds " + article(q.t.Kind) }

func (q query) counts() string {
	return "counts the " + q.t.Plural + " that " + q.finder() + " finds"
}

// finder returns the name of the method that returns all objects with a value.
func (q query) finder() string { return cmp.Or(q.ix.All, q.ix.Method) }

// lookups declares the queries of one index of another project's cache.
func (q query) lookups(params []string, all, first, find string) {
	method, which := q.ix.Method, "the"
	if q.ix.Unique {
		q.declare(method, q.returnsFirst(), params, first, q.f.inlined(model.InlinedFirst)+"("+find+")")
		method, which = q.ix.All, "all"
	}
	q.declare(method, q.returns(which), params, all, find)
}
