// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"fmt"
	"iter"
	"maps"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// NewIndexer returns s as a cache.Indexer with indexers. It is safe for concurrent use, including writes.
// client-go's listers need cache.NamespaceIndex, as with every Indexer:
//
//	pods := clientgo.NewIndexer(s, cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc})
//	lister := corelisters.NewPodLister(pods)
//
// Each Indexer of a store has indexes of its own, also if their names are equal.
func NewIndexer[T metav1.Object](
	s *store.Store[types.NamespacedName, T], indexers cache.Indexers,
) cache.Indexer {
	return newIndexer(s, indexers)
}

// indexer implements cache.Indexer.
type indexer[T metav1.Object] struct {
	store   *store.Store[types.NamespacedName, T]
	reader  store.Reader[types.NamespacedName, T]
	adding  sync.Mutex                                // held by AddIndexers
	indexes atomic.Pointer[map[string]stringIndex[T]] // copied on write, by name
}

type stringIndex[T metav1.Object] struct {
	store.Index[types.NamespacedName, T, string]
	values cache.IndexFunc
}

func newIndexer[T metav1.Object](
	s *store.Store[types.NamespacedName, T], indexers cache.Indexers,
) *indexer[T] {
	x := &indexer[T]{store: s, reader: s.Reader()}
	x.indexes.Store(&map[string]stringIndex[T]{})
	_ = x.AddIndexers(indexers) // there is nothing to conflict with
	return x
}

// Term is one condition of [Find]: an object has Value in the index Name.
type Term struct{ Name, Value string }

// Find yields the objects of an Indexer of this package that match all of terms and selector, without a
// copy. It visits the objects of the term with the fewest. A nil selector matches all; a label index of the
// typed store is used. Find returns an error if there is no such index, or if x is of another package.
func Find(x cache.Indexer, selector labels.Selector, terms ...Term) (iter.Seq[metav1.Object], error) {
	own, ok := x.(interface {
		find(labels.Selector, []Term) (iter.Seq[metav1.Object], error)
	})
	if !ok {
		return nil, fmt.Errorf("a %T was not made by package clientgo: use its ByIndex", x)
	}
	return own.find(selector, terms)
}

func (x *indexer[T]) find(selector labels.Selector, terms []Term) (iter.Seq[metav1.Object], error) {
	queries := make([]store.Query[types.NamespacedName, T], 0, len(terms)+1)
	for _, term := range terms {
		index, err := x.index(term.Name)
		if err != nil {
			return nil, err
		}
		queries = append(queries, index.Equal(term.Value))
	}
	if selector != nil && !selector.Empty() {
		queries = append(queries, store.Matching[types.NamespacedName, T](selector))
	}
	return func(yield func(metav1.Object) bool) {
		for obj := range store.AllOf(queries...).Get(x.reader) {
			if !yield(obj) {
				return
			}
		}
	}, nil
}

// AddIndexers adds all indexers, or none if a name is taken.
func (x *indexer[T]) AddIndexers(indexers cache.Indexers) error {
	x.adding.Lock()
	defer x.adding.Unlock()
	all := maps.Clone(*x.indexes.Load())
	for name := range indexers {
		if _, taken := all[name]; taken {
			return fmt.Errorf("indexer conflict: there is an index named %q", name)
		}
	}
	for name, values := range indexers {
		all[name] = stringIndex[T]{x.add(name, values), values}
	}
	x.indexes.Store(&all)
	return nil
}

// add adds an index to the store. client-go's index function of namespaces is recognized by its address,
// because typed listers share that index.
func (x *indexer[T]) add(name string, values cache.IndexFunc) store.Index[types.NamespacedName, T, string] {
	if reflect.ValueOf(values).Pointer() == reflect.ValueOf(cache.MetaNamespaceIndexFunc).Pointer() {
		return store.AddNamespaces(x.store)
	}
	return store.AddIndex(x.store, name, func(dst []string, obj T) []string {
		found, err := values(obj)
		if err != nil {
			panic(err) //nolint:forbidigo // the store recovers and reports it
		}
		return append(dst, found...)
	})
}

func (x *indexer[T]) GetIndexers() cache.Indexers {
	indexes := *x.indexes.Load()
	out := make(cache.Indexers, len(indexes))
	for name, index := range indexes {
		out[name] = index.values
	}
	return out
}

func (x *indexer[T]) index(name string) (stringIndex[T], error) {
	index, ok := (*x.indexes.Load())[name]
	if !ok {
		return index, fmt.Errorf("there is no index named %q: add it with AddIndexers", name)
	}
	return index, nil
}

// Index passes obj to the index function. It need not be in the store, nor of its type.
func (x *indexer[T]) Index(name string, obj any) ([]any, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	values, err := index.values(obj)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for found := range index.In(values...).Get(x.reader) {
		out = append(out, found)
	}
	return out, nil
}

func (x *indexer[T]) ByIndex(name, value string) ([]any, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	out := make([]any, 0, index.Count(x.reader, value))
	for obj := range index.Get(x.reader, value) {
		out = append(out, obj)
	}
	return out, nil
}

func (x *indexer[T]) IndexKeys(name, value string) ([]string, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, index.Count(x.reader, value))
	for key := range index.Equal(value).Keys(x.reader) {
		out = append(out, keyString(key))
	}
	return out, nil
}

func (x *indexer[T]) ListIndexFuncValues(name string) []string {
	index, err := x.index(name)
	if err != nil {
		return []string{}
	}
	out := make([]string, 0, index.Len(x.reader))
	for value := range index.Values(x.reader) {
		out = append(out, value)
	}
	return out
}

// keyString returns "namespace/name", or "name" for a cluster-scoped object.
func keyString(key types.NamespacedName) string { return cache.ObjectName(key).String() }

// parseKey is the reverse of keyString. It returns false if key is not a result of it.
func parseKey(key string) (types.NamespacedName, bool) {
	namespace, name, namespaced := strings.Cut(key, "/")
	if !namespaced {
		return types.NamespacedName{Name: key}, true
	}
	return types.NamespacedName{Namespace: namespace, Name: name}, namespace != "" && !strings.Contains(name, "/")
}
