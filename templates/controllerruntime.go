// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// declareControllerRuntimeFile declares the registration of field indexes and the readers that query them.
func declareControllerRuntimeFile(f *file) {
	for _, t := range f.pkg.Types {
		if len(t.Indexes) == 0 {
			continue
		}
		declareKeyStructs(f, t)
		declareKeyEncodeMethods(f, t)
		declareIndexFuncs(f, t)
		declareFieldIndexerSetup(f, t)
		declareReader(f, t)
		for _, ix := range t.Indexes {
			declareReaderMethods(methodPrinter{f, t, ix})
		}
	}
	declareInlined(f)
}

// declareFieldIndexerSetup declares what adds the indexes to a manager and to a fake client.
//
//	func AddDeviceIndexes(ctx context.Context, indexer client.FieldIndexer) error {
//		return fieldAdd(ctx, indexer, &Device{}, DeviceFieldIndexers())
//	}
func declareFieldIndexerSetup(f *file, t *model.Type) {
	declareNamesAndIndexFuncs(f, t, "for client.MatchingFields", " by name, for IndexField", "map[string]«client».IndexerFunc")
	f.declareFunction(fmt.Sprintf("%s adds the indexes of %s to mgr.GetFieldIndexer(), before mgr starts.",
		t.Add, t.Plural), "func "+t.Add,
		[]string{"ctx «context».Context", "indexer «client».FieldIndexer"}, "error",
		fmt.Sprintf("return %s(ctx, indexer, &%s{}, %s())", f.inlinedFunctionName(model.InlinedAdd), identExpr(t.Object), t.Register))
	f.declareFunction(fmt.Sprintf("%s adds the indexes of %s to a fake.ClientBuilder that has a scheme.",
		t.RegisterFake, t.Plural), fmt.Sprintf("func %s[B %s[B]]", t.RegisterFake, f.inlinedFunctionName(model.InlinedBuilder)),
		[]string{"b B"}, "B", "return "+f.inlinedFunctionName(model.InlinedWith)+"(b, "+t.Add+")")
}

// declareReader declares the reader and its constructor.
func declareReader(f *file, t *model.Type) {
	generic := f.inlinedFunctionName(model.InlinedReader)
	f.declare(fmt.Sprintf("%s reads %s by their indexes, with the options of List.",
		t.Lister, t.Plural), fmt.Sprintf("type %s struct{ %s[%s] }", t.Lister, generic, objectType(t)))
	f.declareFunction(fmt.Sprintf("%s returns a reader of a cache that has the indexes of %s.",
		t.NewLister, t.Add), "func "+t.NewLister, []string{"reader «client».Reader"}, t.Lister,
		fmt.Sprintf("return %s{%s[%s]{reader, &%s{}, %q, %q}}",
			t.Lister, generic, objectType(t), identExpr(*t.List), t.Plural, t.Add))
}

// declareReaderMethods declares the queries of one index.
//
//	func (r DeviceReader) BySite(ctx context.Context, site string, opts ...client.ListOption) ([]*Device, error) {
//		return r.list(ctx, DeviceBySiteField, site, opts)
//	}
func declareReaderMethods(q methodPrinter) {
	const ctx, opts = "ctx «context».Context", "opts ...«client».ListOption"
	params := append(append([]string{ctx}, q.keyOrPartParameters()...), opts)
	args := fmt.Sprintf("(ctx, %s, %s, opts)", q.index.Const, q.queryKeyTextExpr())
	recv := q.typ.ListerRecv
	q.declareFindMethods(params, "([]"+objectType(q.typ)+", error)", "("+objectType(q.typ)+", bool, error)", recv+".list"+args)
	q.declareMethod(q.index.Has, q.reportsDoc()+", without deep copies.", params, "(bool, error)", recv+".has"+args)
	q.declareMethod(q.index.Count, q.countsDoc()+", without deep copies.", params, "(int, error)", recv+".count"+args)
	if q.index.Requests != "" {
		declareRequestsMethod(q)
	}
	if q.index.Kind == model.Labels {
		all, key := "([]"+objectType(q.typ)+", error)", q.index.Parts[0].Param
		q.declareMethod("ByLabelKey", q.labelKeyMethodDoc(), []string{ctx, key + " string", opts}, all,
			fmt.Sprintf("%s.list(ctx, %s, %s(%s), opts)", recv, q.index.Const, q.file.inlinedFunctionName(model.InlinedJoin), key))
		q.declareMethod("List", q.selectorMethodDoc(""), []string{ctx, "selector «labels».Selector", opts}, all,
			fmt.Sprintf("%s(ctx, %s.%s, %s, selector, opts)", q.file.inlinedFunctionName(model.InlinedSelect), recv,
				q.file.inlinedFunctionName(model.InlinedReader), q.index.Const))
	}
}

// declareRequestsMethod declares the map function of an index of keys of objects, or what returns it for a kind.
//
//	func (r DeviceReader) RequestsBySecret(ctx context.Context, obj client.Object) []reconcile.Request {
//		return fieldRequests(ctx, r.fieldReader, DeviceBySecretField, client.ObjectKeyFromObject(obj).String())
//	}
func declareRequestsMethod(q methodPrinter) {
	params, result := []string{"ctx «context».Context", "obj «client».Object"}, "[]«reconcile».Request"
	key := "«client».ObjectKeyFromObject(obj)"
	if q.index.Kind == model.Refs && !q.index.To.Namespaced {
		key = "obj.GetName()"
	}
	text := ""
	if q.index.Open == nil {
		text = keyTextExpr(q.file, q.index.Parts[0], key)
	} else {
		text = literalExpr(goType(q.index.Value), "Kind", q.index.Parts[0].Param, q.index.Parts[1].Field, key) + ".text()"
	}
	answer := fmt.Sprintf("%s(ctx, %s.%s, %s, %s)", q.file.inlinedFunctionName(model.InlinedRequests), q.typ.ListerRecv,
		q.file.inlinedFunctionName(model.InlinedReader), q.index.Const, text)
	doc := "maps obj to requests for the " + q.typ.Plural + " that refer to it. It is a handler.MapFunc."
	switch {
	case q.index.Kind == model.Funcs:
		doc = "maps obj to requests for the " + q.typ.Plural + " that " + q.allMethodName() +
			" finds by the key of obj. It is a handler.MapFunc."
	case q.index.Open != nil:
		result = "func(" + strings.Join(params, ", ") + ") " + result
		doc = "returns a handler.MapFunc, which maps an object of kind to requests for the " + q.typ.Plural + " that refer to it."
		params, answer = q.keyOrPartParameters()[:1], result+" {\nreturn "+answer+"\n}"
	}
	q.declareMethod(q.index.Requests, doc, params, result, answer)
}
