// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import (
	"cmp"
	"fmt"
	"strconv"

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

// registration declares the index functions, and what adds them to a manager and to a fake client.
func registration(f *file, t *model.Type) {
	var all []string
	for _, ix := range t.Indexes {
		all = append(all, strconv.Quote(ix.Field), foreignIndex(f, t, ix))
	}
	f.declare(fmt.Sprintf("%s returns the index functions of %s by the names of their indexes.",
		t.FieldIndexers, t.Plural), fmt.Sprintf(`func %s() map[string]«client».IndexerFunc {
	return map[string]«client».IndexerFunc%s
}`, t.FieldIndexers, fields(all...)))
	f.declare(fmt.Sprintf("%s adds the indexes of %s to a cache, for example to mgr.GetFieldIndexer(). Call it "+
		"before the manager starts.", t.Register, t.Plural),
		fmt.Sprintf(`func %s(ctx «context».Context, indexer «client».FieldIndexer) (err error) {
	for field, values := range %s() {
		err = «errors».Join(err, indexer.IndexField(ctx, &%s{}, field, values))
	}
	return err
}`, t.Register, t.FieldIndexers, ident(t.Object)))
	f.declare(fmt.Sprintf("%s adds the indexes of %s to a fake.ClientBuilder and returns it. Set its scheme "+
		"first.", t.RegisterFake, t.Plural), fmt.Sprintf(`func %s[B interface {
	WithIndex(«kuberuntime».Object, string, «client».IndexerFunc) B
}](b B) B {
	for field, values := range %s() {
		b = b.WithIndex(&%s{}, field, values)
	}
	return b
}`, t.RegisterFake, t.FieldIndexers, ident(t.Object)))
}

// reader declares the reader, its constructor and the list that all its queries share.
func reader(f *file, t *model.Type) {
	f.declare(fmt.Sprintf("%s queries the indexes of %s through a client.Reader. Each query takes the options of "+
		"List, such as client.InNamespace.", t.Lister, t.Plural),
		fmt.Sprintf("type %s struct {\nreader «client».Reader\n}", t.Lister))
	f.declare(fmt.Sprintf("%s returns a reader of the %s that reader reads from a cache with the indexes of %s.",
		t.NewLister, t.Plural, t.Register), fmt.Sprintf(`func %s(reader «client».Reader) %[2]s {
	return %[2]s{reader: reader}
}`, t.NewLister, t.Lister))
	failed := fmt.Sprintf("list %s by %%s: %%w; if the cache lacks the index, call %s before the manager starts",
		t.Plural, t.Register)
	f.declare("", f.signature(fmt.Sprintf("func (%s %s) list", t.ListerRecv, t.Lister), []string{
		"ctx «context».Context", "index, value string", "opts []«client».ListOption",
	}, "([]"+object(t)+", error)")+fmt.Sprintf(` {
	var list %s
	if err := %s.reader.List(ctx, &list, %s(index, value, opts)); err != nil {
		return nil, «fmt».Errorf(%q, index, err)
	}
	%s
}`, ident(*t.List), t.ListerRecv, f.inlined(model.InlinedQuery), failed, listItems(t)))
}

// listItems returns the items of a list.
func listItems(t *model.Type) string {
	if t.Pointers {
		return "return list.Items, nil"
	}
	return fmt.Sprintf(`objs := make([]%s, len(list.Items))
	for i := range list.Items {
		objs[i] = &list.Items[i]
	}
	return objs, nil`, object(t))
}

// readerQueries declares the queries of one index.
//
//	func (r DeviceReader) BySite(ctx context.Context, site string, opts ...client.ListOption) ([]*Device, error) {
//		return r.list(ctx, "spec.site", site, opts)
//	}
func readerQueries(q query) {
	params := append([]string{"ctx «context».Context"}, q.values()...)
	params = append(params, "opts ...«client».ListOption")
	list := fmt.Sprintf("%s.list(ctx, %q, %s, opts)", q.t.ListerRecv, q.ix.Field, q.text())
	q.lookups(params, "([]"+object(q.t)+", error)", "("+object(q.t)+", bool, error)", list)
	if q.ix.Requests != "" {
		q.references()
	}
	if q.ix.Kind == model.Labels {
		q.readerLabels()
	}
}

// readerLabels declares the other methods of an index of labels.
func (q query) readerLabels() {
	const ctx, opts = "ctx «context».Context", "opts ...«client».ListOption"
	recv, all := q.t.ListerRecv, "([]"+object(q.t)+", error)"
	key, value := q.ix.Parts[0].Param, q.ix.Parts[1].Param
	q.declare("ByLabelKey", q.withKey(), []string{ctx, key + " string", opts}, all, fmt.Sprintf("%s.list(ctx, %q, %s(%s), opts)",
		recv, q.ix.Field, q.f.inlined(model.InlinedJoin), key))
	q.method("CountByLabel", q.counts()+" It makes no deep copies.", []string{ctx, key + ", " + value + " string", opts}, "(int, error)",
		fmt.Sprintf(`objs, err := %s.%s(ctx, %s, %s, append(«slices».Clip(opts), «client».UnsafeDisableDeepCopy)...)
	return len(objs), err`, recv, q.ix.Method, key, value))
	q.method("List", q.selected(""), []string{ctx, "selector «labels».Selector", opts}, all, fmt.Sprintf(
		`opts = append(«slices».Clip(opts), «client».MatchingLabelsSelector{Selector: selector})
	if keys := %s(selector); len(keys) > 0 {
		return %s.list(ctx, %q, keys[0], opts)
	}
	var list %s
	if err := %[2]s.reader.List(ctx, &list, opts...); err != nil {
		return nil, «fmt».Errorf("list %[5]s: %%w", err)
	}
	%[6]s`, q.f.inlined(model.InlinedRequired), recv, q.ix.Field, ident(*q.t.List), q.t.Plural, listItems(q.t)))
}

// references declares the methods that only references have.
func (q query) references() {
	ix, param := q.ix, q.ix.Parts[0].Param
	key := "«client».ObjectKeyFromObject(obj)"
	if !ix.To.Namespaced {
		key = "obj.GetName()"
	}
	method := func(name, text string, params []string, result, args, answer string) {
		head := fmt.Sprintf("func (%s %s) %s", q.t.ListerRecv, q.t.Lister, name)
		q.f.declare(name+" "+text, fmt.Sprintf(`%s {
	objs, err := %s.%s(ctx, %s)
	return %s
}`, q.f.signature(head, params, result), q.t.ListerRecv, cmp.Or(ix.All, ix.Method), args, answer))
	}
	const ctx = "ctx «context».Context"
	method(ix.Requests, "returns a request for each "+q.t.Kind+" that refers to obj. Pass it to "+
		"handler.EnqueueRequestsFromMapFunc.", []string{ctx, "obj «client».Object"},
		"[]«reconcile».Request", key, q.f.inlined(model.InlinedRequests)+"(ctx, objs, err)")
	method(ix.Has, "reports whether "+article(q.t.Kind)+" refers to "+param+".",
		append([]string{ctx}, q.values()...), "(bool, error)",
		param+", «client».Limit(1)", "len(objs) > 0, err")
}
