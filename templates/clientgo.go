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
	f.declare(fmt.Sprintf("%s adds the indexes of %s that indexer lacks by name. Call it before others use the "+
		"indexer.", t.Add, t.Plural),
		fmt.Sprintf(`func %s(indexer «cache».Indexer) error {
	indexes := %s()
	for name := range indexer.GetIndexers() {
		delete(indexes, name)
	}
	return indexer.AddIndexers(indexes)
}`, t.Add, t.Register))
	f.declare(fmt.Sprintf("%s returns an Indexer of objs with the indexes of %s and one of namespaces, for tests.",
		t.NewIndexer, t.Plural), fmt.Sprintf(`func %s(objs ...%s) «cache».Indexer {
	indexes := %s()
	indexes[«cache».NamespaceIndex] = «cache».MetaNamespaceIndexFunc
	indexer := «cache».NewIndexer(«cache».MetaNamespaceKeyFunc, indexes)
	for _, obj := range objs {
		_ = indexer.Add(obj) // it fails only for objects without metadata
	}
	return indexer
}`, t.NewIndexer, object(t), t.Register))
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
	if q.ix.Kind == model.Labels {
		q.cacheLabels()
	}
}

// cacheLabels declares the other methods of an index of labels.
//
//	func (l DeviceCacheLister) List(selector labels.Selector) ([]*Device, error) {
//		return cacheSelect[*Device](l.indexer, DeviceByLabelIndex, "", selector)
//	}
func (q query) cacheLabels() {
	recv, all := q.t.ListerRecv, "[]"+object(q.t)
	key, value := q.ix.Parts[0].Param, q.ix.Parts[1].Param
	byLabel := recv + "." + q.ix.Method + "(" + key + ", " + value + ")"
	list := func(namespace string) string {
		return fmt.Sprintf("%s[%s](%s.indexer, %s, %s, selector)",
			q.f.inlined(model.InlinedSelect), object(q.t), recv, q.ix.Const, namespace)
	}
	q.declare("ByLabelKey", q.withKey(), []string{key + " string"}, all, fmt.Sprintf("%s[%s](%s.indexer, %s, %s(%s))",
		q.f.inlined(model.InlinedFind), object(q.t), recv, q.ix.Const, q.f.inlined(model.InlinedJoin), key))
	q.declare("CountByLabel", q.counts(), q.values(), "int", "len("+byLabel+")")
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

// withKey, counts and selected are comments of methods of an index of labels.
func (q query) withKey() string {
	return "returns the " + q.t.Plural + " that have the label " + q.ix.Parts[0].Param + ", with any value."
}

func (q query) counts() string {
	return "returns the number of " + q.t.Plural + " " + q.condition() + "."
}

func (q query) selected(in string) string {
	return fmt.Sprintf("returns the %s%s that selector matches. If selector requires labels, it reads only the "+
		"%[1]s that have one of them.", q.t.Plural, in)
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
