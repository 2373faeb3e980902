// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/store"
)

// keyOf returns the key of an object, of a cache.DeletedFinalStateUnknown or of a cache.ExplicitKey, and
// false if no object of a store can have it.
func keyOf(obj any) (types.NamespacedName, bool, error) {
	if object, ok := obj.(metav1.Object); ok {
		return store.KeyOf(object), true, nil
	}
	text, err := cache.DeletionHandlingMetaNamespaceKeyFunc(obj)
	if err != nil {
		return types.NamespacedName{}, false, cache.KeyError{Obj: obj, Err: err}
	}
	key, ok := parseKey(text)
	return key, ok, nil
}

func objectOf(obj any) (metav1.Object, error) {
	object, ok := obj.(metav1.Object)
	if !ok {
		return nil, cache.KeyError{Obj: obj, Err: fmt.Errorf("a %T is not a metav1.Object", obj)}
	}
	return object, nil
}

func (x *indexer) Add(obj any) error {
	object, err := objectOf(obj)
	if err != nil {
		return err
	}
	return x.store.Set(object)
}

func (x *indexer) Update(obj any) error { return x.Add(obj) }

func (x *indexer) Delete(obj any) error {
	key, ok, err := keyOf(obj)
	if err != nil {
		return err
	}
	if ok {
		x.store.Delete(key)
	}
	return nil
}

func (x *indexer) Replace(list []any, resourceVersion string) error {
	objects := make([]metav1.Object, len(list))
	for i, obj := range list {
		var err error
		if objects[i], err = objectOf(obj); err != nil {
			return err
		}
	}
	return x.store.Replace(objects, resourceVersion)
}

func (x *indexer) List() []any {
	out := make([]any, 0, x.store.Len())
	for obj := range x.store.All() {
		out = append(out, obj)
	}
	return out
}

func (x *indexer) ListKeys() []string {
	out := make([]string, 0, x.store.Len())
	for key := range x.store.Keys() {
		out = append(out, keyString(key))
	}
	return out
}

func (x *indexer) Get(obj any) (item any, exists bool, err error) {
	key, ok, err := keyOf(obj)
	if err != nil || !ok {
		return nil, false, err
	}
	return x.get(key)
}

func (x *indexer) GetByKey(key string) (item any, exists bool, err error) {
	parsed, ok := parseKey(key)
	if !ok {
		return nil, false, nil
	}
	return x.get(parsed)
}

func (x *indexer) get(key types.NamespacedName) (item any, exists bool, err error) {
	obj, ok := x.store.Get(key)
	if !ok {
		return nil, false, nil
	}
	return obj, true, nil
}

func (x *indexer) LastStoreSyncResourceVersion() string { return x.store.ResourceVersion() }
func (x *indexer) Bookmark(resourceVersion string)      { x.store.Reach(resourceVersion) }
func (x *indexer) Resync() error                        { return nil }
