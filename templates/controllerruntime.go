// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"fmt"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// controllerRuntime declares the registration of field indexes and the readers that query them.
func controllerRuntime(f *file) {
	for _, t := range f.p.Types {
		if len(t.Indexes) == 0 {
			continue
		}
		keys(f, t)
		keyMethods(f, t)
		extractors(f, t)
		registration(f, t)
		reader(f, t)
		for _, ix := range t.Indexes {
			readerQueries(query{f, t, ix})
		}
	}
	inlined(f)
}

// registration declares what adds the indexes to a manager and to a fake client.
//
//	func AddDeviceIndexes(ctx context.Context, indexer client.FieldIndexer) error {
//		return fieldAdd(ctx, indexer, &Device{}, DeviceFieldIndexers())
//	}
func registration(f *file, t *model.Type) {
	indexFuncs(f, t, "for client.MatchingFields", " by name, for IndexField", "map[string]«client».IndexerFunc")
	f.function(fmt.Sprintf("%s adds the indexes of %s to mgr.GetFieldIndexer(), before mgr starts.",
		t.Add, t.Plural), "func "+t.Add,
		[]string{"ctx «context».Context", "indexer «client».FieldIndexer"}, "error",
		fmt.Sprintf("return %s(ctx, indexer, &%s{}, %s())", f.inlined(model.InlinedAdd), ident(t.Object), t.Register))
	f.function(fmt.Sprintf("%s adds the indexes of %s to a fake.ClientBuilder that has a scheme.",
		t.RegisterFake, t.Plural), fmt.Sprintf("func %s[B %s[B]]", t.RegisterFake, f.inlined(model.InlinedBuilder)),
		[]string{"b B"}, "B", "return "+f.inlined(model.InlinedWith)+"(b, "+t.Add+")")
}

// reader declares the reader and its constructor.
func reader(f *file, t *model.Type) {
	generic := f.inlined(model.InlinedReader)
	f.declare(fmt.Sprintf("%s reads %s by their indexes, with the options of List.",
		t.Lister, t.Plural), fmt.Sprintf("type %s struct{ %s[%s] }", t.Lister, generic, object(t)))
	f.function(fmt.Sprintf("%s returns a reader of a cache that has the indexes of %s.",
		t.NewLister, t.Add), "func "+t.NewLister, []string{"reader «client».Reader"}, t.Lister,
		fmt.Sprintf("return %s{%s[%s]{reader, &%s{}, %q, %q}}",
			t.Lister, generic, object(t), ident(*t.List), t.Plural, t.Add))
}

// readerQueries declares the queries of one index.
//
//	func (r DeviceReader) BySite(ctx context.Context, site string, opts ...client.ListOption) ([]*Device, error) {
//		return r.list(ctx, DeviceBySiteField, site, opts)
//	}
func readerQueries(q query) {
	const ctx, opts = "ctx «context».Context", "opts ...«client».ListOption"
	params := append(append([]string{ctx}, q.values()...), opts)
	args := fmt.Sprintf("(ctx, %s, %s, opts)", q.ix.Const, q.text())
	recv := q.t.ListerRecv
	q.lookups(params, "([]"+object(q.t)+", error)", "("+object(q.t)+", bool, error)", recv+".list"+args)
	q.declare(q.ix.Has, q.has()+", without deep copies.", params, "(bool, error)", recv+".has"+args)
	q.declare(q.ix.Count, q.counts()+", without deep copies.", params, "(int, error)", recv+".count"+args)
	if q.ix.Requests != "" {
		readerRequests(q)
	}
	if q.ix.Kind == model.Labels {
		all, key := "([]"+object(q.t)+", error)", q.ix.Parts[0].Param
		q.declare("ByLabelKey", q.withKey(), []string{ctx, key + " string", opts}, all,
			fmt.Sprintf("%s.list(ctx, %s, %s(%s), opts)", recv, q.ix.Const, q.f.inlined(model.InlinedJoin), key))
		q.declare("List", q.selected(""), []string{ctx, "selector «labels».Selector", opts}, all,
			fmt.Sprintf("%s(ctx, %s.%s, %s, selector, opts)", q.f.inlined(model.InlinedSelect), recv,
				q.f.inlined(model.InlinedReader), q.ix.Const))
	}
}

// readerRequests declares the map function of an index of keys of objects, or what returns it for a kind.
//
//	func (r DeviceReader) RequestsBySecret(ctx context.Context, obj client.Object) []reconcile.Request {
//		return fieldRequests(ctx, r.fieldReader, DeviceBySecretField, client.ObjectKeyFromObject(obj).String())
//	}
func readerRequests(q query) {
	params, result := []string{"ctx «context».Context", "obj «client».Object"}, "[]«reconcile».Request"
	key := "«client».ObjectKeyFromObject(obj)"
	if q.ix.Kind == model.Refs && !q.ix.To.Namespaced {
		key = "obj.GetName()"
	}
	text := ""
	if q.ix.Open == nil {
		text = keyText(q.f, q.ix.Parts[0], key)
	} else {
		text = literal(goType(q.ix.Value), "Kind", q.ix.Parts[0].Param, q.ix.Parts[1].Field, key) + ".text()"
	}
	answer := fmt.Sprintf("%s(ctx, %s.%s, %s, %s)", q.f.inlined(model.InlinedRequests), q.t.ListerRecv,
		q.f.inlined(model.InlinedReader), q.ix.Const, text)
	doc := "maps obj to requests for the " + q.t.Plural + " that refer to it. It is a handler.MapFunc."
	switch {
	case q.ix.Kind == model.Funcs:
		doc = "maps obj to requests for the " + q.t.Plural + " that " + q.finder() +
			" finds by the key of obj. It is a handler.MapFunc."
	case q.ix.Open != nil:
		result = "func(" + strings.Join(params, ", ") + ") " + result
		doc = "returns a handler.MapFunc, which maps an object of kind to requests for the " + q.t.Plural + " that refer to it."
		params, answer = q.values()[:1], result+" {\nreturn "+answer+"\n}"
	}
	q.declare(q.ix.Requests, doc, params, result, answer)
}
