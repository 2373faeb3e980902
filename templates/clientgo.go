// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareClientGoFile declares the index functions and listers for client-go's caches.
func declareClientGoFile(f *file) {
	for _, t := range f.pkg.Types {
		declareKeyStructs(f, t)
		declareKeyEncodeMethods(f, t)
		declareIndexFuncs(f, t)
		declareIndexerSetup(f, t)
		declareCacheLister(f, t)
		for _, ix := range t.Indexes {
			declareCacheQueryMethods(methodPrinter{f, t, ix})
		}
	}
	declareInlined(f)
}

// declareIndexerSetup declares what adds the indexes to an Indexer.
func declareIndexerSetup(f *file, t *model.Type) {
	declareNamesAndIndexFuncs(f, t, "for ByIndex of an Indexer", ", for AddIndexers", "«cache».Indexers")
	f.declareFunction(fmt.Sprintf("%s adds the indexes of %s that indexer lacks, before others use it.", t.Add, t.Plural),
		"func "+t.Add, []string{"indexer «cache».Indexer"}, "error",
		fmt.Sprintf("return %s(indexer, %s())", f.inlinedFunctionName(model.InlinedAdd), t.Register))
	f.declareFunction(fmt.Sprintf("%s returns an Indexer of objs with the indexes of %s, for tests.",
		t.NewIndexer, t.Plural), "func "+t.NewIndexer, []string{"objs ..." + objectType(t)}, "«cache».Indexer",
		fmt.Sprintf("return %s(%s(), objs)", f.inlinedFunctionName(model.InlinedNew), t.Register))
}

// declareCacheLister declares the lister and its constructor.
func declareCacheLister(f *file, t *model.Type) {
	check := "nil"
	if len(t.Indexes) > 0 {
		check = f.inlinedFunctionName(model.InlinedCheck) + "(indexer, " + t.Register + "())"
	}
	f.declare(fmt.Sprintf("%s reads %s from an Indexer. They are shared: do not modify them.", t.Lister, t.Plural),
		fmt.Sprintf("type %s struct{ %s[%s] }", t.Lister, f.inlinedFunctionName(model.InlinedReader), objectType(t)))
	resource := literalExpr("«schema».GroupResource",
		"Group", strconv.Quote(t.Group), "Resource", strconv.Quote(t.Resource))
	f.declare(fmt.Sprintf("%s returns a lister of indexer. It fails if indexer lacks an index of %s.",
		t.NewLister, t.Plural), fmt.Sprintf(`func %s(indexer «cache».Indexer) (%[2]s, error) {
	typed := «listers».New[%[3]s](indexer, %[4]s)
	return %[2]s{%[5]s[%[3]s]{typed, indexer}}, %[6]s
}`, t.NewLister, t.Lister, objectType(t), resource, f.inlinedFunctionName(model.InlinedReader), check))
}

// declareCacheQueryMethods declares the queries of one index.
//
//	func (l DeviceCacheLister) BySite(site string) []*Device { return l.find(DeviceBySiteIndex, site) }
func declareCacheQueryMethods(q methodPrinter) {
	args, recv := fmt.Sprintf("(%s, %s)", q.index.Const, q.queryKeyTextExpr()), q.typ.ListerRecv
	q.declareFindMethods(q.keyOrPartParameters(), "[]"+objectType(q.typ), "("+objectType(q.typ)+", bool)", recv+".find"+args)
	q.declareMethod(q.index.Has, q.reportsDoc()+".", q.keyOrPartParameters(), "bool", recv+".count"+args+" > 0")
	q.declareMethod(q.index.Count, q.countsDoc()+".", q.keyOrPartParameters(), "int", recv+".count"+args)
	if q.index.Kind == model.Labels {
		q.declareCacheLabelMethods()
	}
}

// declareCacheLabelMethods declares the other methods of an index of labels.
//
//	func (l DeviceCacheLister) List(selector labels.Selector) ([]*Device, error) {
//		return cacheSelect(l.cacheReader, DeviceByLabelIndex, "", selector)
//	}
func (q methodPrinter) declareCacheLabelMethods() {
	recv, all := q.typ.ListerRecv, "[]"+objectType(q.typ)
	key, value := q.index.Parts[0].Param, q.index.Parts[1].Param
	byLabel := recv + "." + q.index.Method + "(" + key + ", " + value + ")"
	list := func(namespace string) string {
		return fmt.Sprintf("%s(%s.%s, %s, %s, selector)", q.file.inlinedFunctionName(model.InlinedSelect), recv,
			q.file.inlinedFunctionName(model.InlinedReader), q.index.Const, namespace)
	}
	q.declareMethod("ByLabelKey", q.labelKeyMethodDoc(), []string{key + " string"}, all, fmt.Sprintf("%s.find(%s, %s(%s))",
		recv, q.index.Const, q.file.inlinedFunctionName(model.InlinedJoin), key))
	q.declareMethod("List", q.selectorMethodDoc(""), []string{"selector «labels».Selector"}, "("+all+", error)", list(`""`))
	if !q.typ.Namespaced {
		return
	}
	const in = " in namespace, or in all if it is empty,"
	q.declareMethod("ByLabelInNamespace", "returns the "+q.typ.Plural+in+" "+q.queryCriterionDoc()+".",
		[]string{"namespace, " + key + ", " + value + " string"}, all,
		fmt.Sprintf(`«slices».DeleteFunc(%s, func(obj %s) bool {
	return namespace != "" && obj.GetNamespace() != namespace
})`, byLabel, objectType(q.typ)))
	q.declareMethod("ListInNamespace", q.selectorMethodDoc(in),
		[]string{"namespace string", "selector «labels».Selector"}, "("+all+", error)", list("namespace"))
}

// labelKeyMethodDoc and selectorMethodDoc are comments of methods of an index of labels.
func (q methodPrinter) labelKeyMethodDoc() string {
	return "returns the " + q.typ.Plural + " that have the label " + q.index.Parts[0].Param + ", with any value."
}

func (q methodPrinter) selectorMethodDoc(in string) string {
	return fmt.Sprintf("returns the %s%s that selector matches. If selector requires labels, it reads only the "+
		"%[1]s that have one of them.", q.typ.Plural, in)
}

// reportsDoc and countsDoc are comments of the methods that return no objects, without a full stop.
func (q methodPrinter) reportsDoc() string {
	return "reports whether " + q.allMethodName() + " finds " + withArticle(q.typ.Kind)
}

func (q methodPrinter) countsDoc() string {
	return "counts the " + q.typ.Plural + " that " + q.allMethodName() + " finds"
}

// allMethodName returns the name of the method that returns all objects with a value.
func (q methodPrinter) allMethodName() string { return cmp.Or(q.index.All, q.index.Method) }

// declareFindMethods declares the queries of one index of another project's cache.
func (q methodPrinter) declareFindMethods(params []string, all, first, find string) {
	method, which := q.index.Method, "the"
	if q.index.Unique {
		q.declareMethod(method, q.returnsFirstDoc(), params, first, q.file.inlinedFunctionName(model.InlinedFirst)+"("+find+")")
		method, which = q.index.All, "all"
	}
	q.declareMethod(method, q.returnsDoc(which), params, all, find)
}
