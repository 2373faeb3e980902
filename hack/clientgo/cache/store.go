// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cache

import (
	"fmt"
	"maps"
	"reflect"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo"
	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// NewIndexer returns an Indexer of runtime/clientgo if objects are keyed by namespace and name, and else an
// adapter to a store with the key function.
func NewIndexer(key KeyFunc, indexers Indexers) Indexer {
	switch reflect.ValueOf(key).Pointer() {
	case reflect.ValueOf(MetaNamespaceKeyFunc).Pointer(),
		reflect.ValueOf(DeletionHandlingMetaNamespaceKeyFunc).Pointer():
		return clientgo.NewIndexer(store.ForObjects[metav1.Object](), indexers)
	}
	s := newKeyed()
	s.addIndexers(indexers)
	return keyedIndexer{s, key, nil}
}

// NewStore returns the Store of NewIndexer without indexers.
func NewStore(key KeyFunc, opts ...func(*keyedIndexer)) Store {
	if len(opts) == 0 {
		return NewIndexer(key, nil)
	}
	s := keyedIndexer{newKeyed(), key, nil}
	for _, opt := range opts {
		opt(&s)
	}
	return s
}

// WithTransformer is an option of NewStore.
func WithTransformer(f TransformFunc) func(*keyedIndexer) {
	return func(s *keyedIndexer) { s.transform = f }
}

// entry is an object with a key that cannot be read from it.
type entry struct {
	key string
	obj any
}

// keyed is a store of entries with string indexes.
type keyed struct {
	store.Reader[string, entry]
	s        *store.Store[string, entry]
	mu       sync.Mutex
	indexers Indexers
	indexes  map[string]store.Index[string, entry, string]
}

func newKeyed() *keyed {
	s := store.New(func(e entry) string { return e.key })
	return &keyed{s.Reader(), s, sync.Mutex{}, Indexers{}, map[string]store.Index[string, entry, string]{}}
}

func (k *keyed) addIndexers(indexers Indexers) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for name, values := range indexers {
		k.indexers[name] = values
		k.indexes[name] = store.AddIndex(k.s, name, func(dst []string, e entry) []string {
			found, _ := values(e.obj)
			return append(dst, found...)
		})
	}
}

func (k *keyed) index(name string) (store.Index[string, entry, string], error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	index, ok := k.indexes[name]
	if !ok {
		return index, fmt.Errorf("there is no index %q", name)
	}
	return index, nil
}

func (k *keyed) set(key string, obj any) error { return k.s.Set(entry{key, obj}) }

func (k *keyed) replace(objects map[string]any, resourceVersion string) error {
	entries := make([]entry, 0, len(objects))
	for key, obj := range objects {
		entries = append(entries, entry{key, obj})
	}
	return k.s.Replace(entries, resourceVersion)
}

func (k *keyed) GetByKey(key string) (item any, exists bool, err error) {
	e, ok := k.Get(key)
	return e.obj, ok, nil
}

func (k *keyed) List() []any {
	out := make([]any, 0, k.Len())
	for e := range k.All() {
		out = append(out, e.obj)
	}
	return out
}

func (k *keyed) ListKeys() []string {
	out := make([]string, 0, k.Len())
	for key := range k.Keys() {
		out = append(out, key)
	}
	return out
}

func (k *keyed) ByIndex(name, value string) ([]any, error) {
	index, err := k.index(name)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for e := range index.Get(k.Reader, value) {
		out = append(out, e.obj)
	}
	return out, nil
}

func (k *keyed) IndexKeys(name, value string) ([]string, error) {
	index, err := k.index(name)
	if err != nil {
		return nil, err
	}
	out := []string{}
	for key := range index.Equal(value).Keys(k.Reader) {
		out = append(out, key)
	}
	return out, nil
}

func (k *keyed) ListIndexFuncValues(name string) []string {
	index, err := k.index(name)
	if err != nil {
		return nil
	}
	out := []string{}
	for value := range index.Values(k.Reader) {
		out = append(out, value)
	}
	return out
}

func (k *keyed) GetIndexers() Indexers {
	k.mu.Lock()
	defer k.mu.Unlock()
	return maps.Clone(k.indexers)
}

func (k *keyed) LastStoreSyncResourceVersion() string { return k.ResourceVersion() }
func (k *keyed) Resync() error                        { return nil }

func (k *keyed) Bookmark(resourceVersion string) {
	var b store.Batch[string, entry]
	b.ResourceVersion(resourceVersion)
	_, _ = k.s.Apply(&b) // it fails only for objects
}

// resourceVersionOf returns the resourceVersion of obj, "" if it has none.
func resourceVersionOf(obj any) string {
	if accessor, err := meta.Accessor(obj); err == nil {
		return accessor.GetResourceVersion()
	}
	return ""
}
