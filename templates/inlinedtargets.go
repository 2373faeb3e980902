// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package templates

import "github.com/indexer-gen/indexer-gen/templates/model"

// inlinedSourcesByTarget are those that differ between targets.
var inlinedSourcesByTarget = map[model.Target]map[model.InlinedFunction]string{
	model.ClientGo: {
		model.InlinedFunc: `
// @Func returns an index function that encodes values as strings.
func @Func[T, V any](values func(dst []V, obj T) []V, encode func(V) string) «cache».IndexFunc {
	return func(obj any) ([]string, error) {
		typed, ok := obj.(T)
		if !ok {
			return nil, «fmt».Errorf("cannot index a %T: the index is of %T", obj, typed)
		}
		var keys []string
		for _, value := range values(nil, typed) {
			keys = append(keys, encode(value))
		}
		return keys, nil
	}
}`,
		model.InlinedReader: `
// @Reader reads objects of one type.
type @Reader[T «kuberuntime».Object] struct {
	«listers».ResourceIndexer[T]
	indexer «cache».Indexer
}

// find returns the objects under a key. It returns none if the Indexer lacks the index.
func (r @Reader[T]) find(index, key string) []T {
	objs, _ := r.indexer.ByIndex(index, key)
	out := make([]T, len(objs))
	for i, obj := range objs {
		out[i] = obj.(T)
	}
	return out
}

// count returns the number of objects under a key. It copies their keys, and reads no objects.
func (r @Reader[T]) count(index, key string) int {
	keys, _ := r.indexer.IndexKeys(index, key)
	return len(keys)
}`,
		model.InlinedAdd: `
// @Add adds the indexes that indexer lacks by name.
func @Add(indexer «cache».Indexer, indexes «cache».Indexers) error {
	for name := range indexer.GetIndexers() {
		delete(indexes, name)
	}
	return indexer.AddIndexers(indexes)
}`,
		model.InlinedNew: `
// @New returns an Indexer of objs with the indexes and one of namespaces.
func @New[T «metav1».Object](indexes «cache».Indexers, objs []T) «cache».Indexer {
	indexes[«cache».NamespaceIndex] = «cache».MetaNamespaceIndexFunc
	indexer := «cache».NewIndexer(«cache».MetaNamespaceKeyFunc, indexes)
	for _, obj := range objs {
		_ = indexer.Add(obj) // it fails only for objects without metadata
	}
	return indexer
}`,
		model.InlinedSelect: `
// @Select returns the objects in namespace, or in all if it is empty, that selector matches. Of the keys that
// selector requires, it reads the one that the fewest objects have.
func @Select[T interface {
	«kuberuntime».Object
	«metav1».Object
}](r @Reader[T], index, namespace string, selector «labels».Selector) (out []T, err error) {
	keys := @Required(selector)
	if len(keys) == 0 {
		err = «cache».ListAllByNamespace(r.indexer, namespace, selector, func(obj any) { out = append(out, obj.(T)) })
		return out, err
	}
	for i, key := range keys {
		if objs := r.find(index, key); i == 0 || len(objs) < len(out) {
			out = objs
		}
	}
	return «slices».DeleteFunc(out, func(obj T) bool {
		return namespace != "" && obj.GetNamespace() != namespace || !selector.Matches(«labels».Set(obj.GetLabels()))
	}), nil
}`,
		model.InlinedCheck: `
// @Check returns an error if indexer lacks one of the indexes.
func @Check(indexer «cache».Indexer, indexes «cache».Indexers) error {
	for _, name := range «slices».Sorted(«maps».Keys(indexes)) {
		if _, err := indexer.ByIndex(name, ""); err != nil {
			return «fmt».Errorf("the Indexer lacks the index %s; add the generated index functions with AddIndexers: %w", name, err)
		}
	}
	return nil
}`,
		model.InlinedFirst: `
// @First returns the first object by namespace and name. It returns false if there are none.
func @First[T «metav1».Object](objs []T) (first T, ok bool) {
	if len(objs) == 0 {
		return first, false
	}
	return «slices».MinFunc(objs, func(a, b T) int {
		return «cmp».Or(«cmp».Compare(a.GetNamespace(), b.GetNamespace()), «cmp».Compare(a.GetName(), b.GetName()))
	}), true
}`,
	},
	model.ControllerRuntime: {
		model.InlinedFunc: `
// @Func returns an index function that encodes values as strings.
func @Func[T «client».Object, V any](values func(dst []V, obj T) []V, encode func(V) string) «client».IndexerFunc {
	return func(obj «client».Object) []string {
		typed, ok := obj.(T)
		if !ok {
			return nil
		}
		var keys []string
		for _, value := range values(nil, typed) {
			keys = append(keys, encode(value))
		}
		return keys
	}
}`,
		model.InlinedFirst: `
// @First returns the first object by namespace and name. It returns false if there are none.
func @First[T «client».Object](objs []T, err error) (first T, ok bool, _ error) {
	if len(objs) == 0 {
		return first, false, err
	}
	return «slices».MinFunc(objs, func(a, b T) int {
		return «cmp».Or(«cmp».Compare(a.GetNamespace(), b.GetNamespace()), «cmp».Compare(a.GetName(), b.GetName()))
	}), true, err
}`,
		model.InlinedReader: `
// @Reader queries the indexes of one type.
type @Reader[T «client».Object] struct {
	reader  «client».Reader
	empty   «client».ObjectList // queries fill copies of it
	objects string            // their plural
	add     string            // the function that adds the indexes
}

// list returns the objects that have a value in an index.
func (r @Reader[T]) list(ctx «context».Context, index, value string, opts []«client».ListOption) ([]T, error) {
	var options «client».ListOptions
	options.ApplyOptions(opts)
	selector := «fields».OneTermEqualSelector(index, value)
	if options.FieldSelector != nil {
		selector = «fields».AndSelectors(options.FieldSelector, selector)
	}
	options.FieldSelector = selector
	objs, err := r.read(ctx, &options)
	if err != nil {
		err = «fmt».Errorf("list %s by %s: %w; if the cache lacks the index, call %s before the manager starts",
			r.objects, index, err, r.add)
	}
	return objs, err
}

func (r @Reader[T]) read(ctx «context».Context, opts ...«client».ListOption) ([]T, error) {
	list := r.empty.DeepCopyObject().(«client».ObjectList)
	if err := r.reader.List(ctx, list, opts...); err != nil {
		return nil, err
	}
	objs := make([]T, 0, «meta».LenList(list))
	err := «meta».EachListItem(list, func(obj «kuberuntime».Object) error {
		objs = append(objs, obj.(T))
		return nil
	})
	return objs, err
}

// count returns the number of objects that list returns. The cache copies their structs, but makes no deep copies.
func (r @Reader[T]) count(ctx «context».Context, index, value string, opts []«client».ListOption) (int, error) {
	objs, err := r.list(ctx, index, value, append(«slices».Clip(opts), «client».UnsafeDisableDeepCopy))
	return len(objs), err
}

// has reports whether list returns objects. The cache copies the struct of one.
func (r @Reader[T]) has(ctx «context».Context, index, value string, opts []«client».ListOption) (bool, error) {
	n, err := r.count(ctx, index, value, append(«slices».Clip(opts), «client».Limit(1)))
	return n > 0, err
}`,
		model.InlinedAdd: `
// @Add adds indexes of the type of obj, sorted by name.
func @Add(ctx «context».Context, indexer «client».FieldIndexer, obj «client».Object, indexes map[string]«client».IndexerFunc) (err error) {
	for _, name := range «slices».Sorted(«maps».Keys(indexes)) {
		err = «errors».Join(err, indexer.IndexField(ctx, obj, name, indexes[name]))
	}
	return err
}`,
		model.InlinedBuilder: `
// @Builder is a fake.ClientBuilder.
type @Builder[B any] interface {
	WithIndex(«kuberuntime».Object, string, «client».IndexerFunc) B
}`,
		model.InlinedFake: `
// @Fake adds indexes to a fake.ClientBuilder.
type @Fake[B @Builder[B]] struct{ builder B }

func (f *@Fake[B]) IndexField(_ «context».Context, obj «client».Object, index string, values «client».IndexerFunc) error {
	f.builder = f.builder.WithIndex(obj, index, values)
	return nil
}`,
		model.InlinedWith: `
// @With adds the indexes that add adds to a fake.ClientBuilder.
func @With[B @Builder[B]](b B, add func(«context».Context, «client».FieldIndexer) error) B {
	f := @Fake[B]{b}
	_ = add(«context».Background(), &f) // IndexField does not fail
	return f.builder
}`,
		model.InlinedRequests: `
// @Requests returns a request for each object that has a value in an index. It logs an error, because handlers
// cannot return it.
func @Requests[T «client».Object](ctx «context».Context, r @Reader[T], index, value string) []«reconcile».Request {
	objs, err := r.list(ctx, index, value, []«client».ListOption{«client».UnsafeDisableDeepCopy})
	if err != nil {
		«log».FromContext(ctx).Error(err, "cannot map a change to requests")
	}
	requests := make([]«reconcile».Request, len(objs))
	for i, obj := range objs {
		requests[i].NamespacedName = «client».ObjectKeyFromObject(obj)
	}
	return requests
}`,
		model.InlinedSelect: `
// @Select returns the objects that selector matches. It reads one of the keys that selector requires.
func @Select[T «client».Object](
	ctx «context».Context, r @Reader[T], index string, selector «labels».Selector, opts []«client».ListOption,
) ([]T, error) {
	opts = append(«slices».Clip(opts), «client».MatchingLabelsSelector{Selector: selector})
	if keys := @Required(selector); len(keys) > 0 {
		return r.list(ctx, index, keys[0], opts)
	}
	objs, err := r.read(ctx, opts...)
	if err != nil {
		err = «fmt».Errorf("list %s: %w", r.objects, err)
	}
	return objs, err
}`,
	},
}
