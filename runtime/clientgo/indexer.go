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

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
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
	return newIndexer(untyped.OfStore(s), indexers)
}

// indexer implements cache.Indexer.
type indexer struct {
	store   untyped.Store
	adding  sync.Mutex                             // held by AddIndexers
	indexes atomic.Pointer[map[string]stringIndex] // copied on write, by name
}

type stringIndex struct {
	values  cache.IndexFunc
	objects untyped.Index
}

func newIndexer(s untyped.Store, indexers cache.Indexers) *indexer {
	x := &indexer{store: s}
	x.indexes.Store(&map[string]stringIndex{})
	_ = x.AddIndexers(indexers) // there is nothing to conflict with
	return x
}

// Term is one condition of [Find]: an object has Value in the index Name.
type Term struct{ Name, Value string }

// Find yields the objects of an Indexer of this package that match all of terms and selector, without a
// copy. It visits the objects of the term with the fewest. A nil selector matches all; a label index of the
// typed store is used. Find returns an error if there is no such index, or if x is of another package.
func Find(x cache.Indexer, selector labels.Selector, terms ...Term) (iter.Seq[metav1.Object], error) {
	own, ok := x.(*indexer)
	if !ok {
		return nil, fmt.Errorf("a %T was not made by package clientgo: use its ByIndex", x)
	}
	all := make([]untyped.Term, len(terms))
	for i, term := range terms {
		index, err := own.index(term.Name)
		if err != nil {
			return nil, err
		}
		all[i] = untyped.Term{Index: index.objects, Value: term.Value}
	}
	return own.store.Find(selector, all...), nil
}

// AddIndexers adds all indexers, or none if a name is taken.
func (x *indexer) AddIndexers(indexers cache.Indexers) error {
	x.adding.Lock()
	defer x.adding.Unlock()
	all := maps.Clone(*x.indexes.Load())
	for name := range indexers {
		if _, taken := all[name]; taken {
			return fmt.Errorf("indexer conflict: there is an index named %q", name)
		}
	}
	for name, values := range indexers {
		all[name] = stringIndex{values, x.add(name, values)}
	}
	x.indexes.Store(&all)
	return nil
}

// add adds an index to the store. client-go's index function of namespaces is recognized by its address,
// because typed listers share that index.
func (x *indexer) add(name string, values cache.IndexFunc) untyped.Index {
	if reflect.ValueOf(values).Pointer() == reflect.ValueOf(cache.MetaNamespaceIndexFunc).Pointer() {
		return x.store.AddNamespaces()
	}
	return x.store.AddIndex(name, valuesOf(values))
}

// valuesOf returns f as an index function of a store, which reports errors by a panic.
func valuesOf(f cache.IndexFunc) func([]string, metav1.Object) []string {
	return func(dst []string, obj metav1.Object) []string {
		values, err := f(obj)
		if err != nil {
			panic(err) //nolint:forbidigo // the store recovers and reports it
		}
		return append(dst, values...)
	}
}

func (x *indexer) GetIndexers() cache.Indexers {
	indexes := *x.indexes.Load()
	out := make(cache.Indexers, len(indexes))
	for name, index := range indexes {
		out[name] = index.values
	}
	return out
}

func (x *indexer) index(name string) (stringIndex, error) {
	index, ok := (*x.indexes.Load())[name]
	if !ok {
		return index, fmt.Errorf("there is no index named %q: add it with AddIndexers", name)
	}
	return index, nil
}

// Index passes obj to the index function. It need not be in the store, nor of its type.
func (x *indexer) Index(name string, obj any) ([]any, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	values, err := index.values(obj)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for found := range index.objects.In(values...) {
		out = append(out, found)
	}
	return out, nil
}

func (x *indexer) ByIndex(name, value string) ([]any, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	return index.objects.AppendTo([]any{}, value), nil
}

func (x *indexer) IndexKeys(name, value string) ([]string, error) {
	index, err := x.index(name)
	if err != nil {
		return nil, err
	}
	out := make([]string, 0, index.objects.Count(value))
	for key := range index.objects.Keys(value) {
		out = append(out, keyString(key))
	}
	return out, nil
}

func (x *indexer) ListIndexFuncValues(name string) []string {
	index, err := x.index(name)
	if err != nil {
		return []string{}
	}
	out := make([]string, 0, index.objects.Len())
	for value := range index.objects.Values() {
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
