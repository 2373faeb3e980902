// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"fmt"
	"reflect"

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

// as returns obj as an object of a store.
func as[T metav1.Object](obj any) (T, error) {
	typed, ok := obj.(T)
	if !ok {
		return typed, fmt.Errorf("a %T is not stored with objects of type %v", obj, reflect.TypeFor[T]())
	}
	return typed, nil
}

func (x *indexer[T]) Add(obj any) error {
	typed, err := as[T](obj)
	if err != nil {
		return cache.KeyError{Obj: obj, Err: err}
	}
	return x.store.Set(typed)
}

func (x *indexer[T]) Update(obj any) error { return x.Add(obj) }

func (x *indexer[T]) Delete(obj any) error {
	key, ok, err := keyOf(obj)
	if err != nil {
		return err
	}
	if ok {
		x.store.Delete(key)
	}
	return nil
}

func (x *indexer[T]) Replace(list []any, resourceVersion string) error {
	objects := make([]T, len(list))
	for i, obj := range list {
		var err error
		if objects[i], err = as[T](obj); err != nil {
			return cache.KeyError{Obj: obj, Err: err}
		}
	}
	return x.store.Replace(objects, resourceVersion)
}

func (x *indexer[T]) List() []any {
	out := make([]any, 0, x.reader.Len())
	for obj := range x.reader.All() {
		out = append(out, obj)
	}
	return out
}

func (x *indexer[T]) ListKeys() []string {
	out := make([]string, 0, x.reader.Len())
	for key := range x.reader.Keys() {
		out = append(out, keyString(key))
	}
	return out
}

func (x *indexer[T]) Get(obj any) (item any, exists bool, err error) {
	key, ok, err := keyOf(obj)
	if err != nil || !ok {
		return nil, false, err
	}
	return x.get(key)
}

func (x *indexer[T]) GetByKey(key string) (item any, exists bool, err error) {
	parsed, ok := parseKey(key)
	if !ok {
		return nil, false, nil
	}
	return x.get(parsed)
}

func (x *indexer[T]) get(key types.NamespacedName) (item any, exists bool, err error) {
	obj, ok := x.reader.Get(key)
	if !ok {
		return nil, false, nil
	}
	return obj, true, nil
}

func (x *indexer[T]) Bookmark(resourceVersion string) {
	var b store.Batch[types.NamespacedName, T]
	b.ResourceVersion(resourceVersion)
	_, _ = x.store.Apply(&b) // it fails only for objects
}

func (x *indexer[T]) LastStoreSyncResourceVersion() string { return x.reader.ResourceVersion() }
func (x *indexer[T]) Resync() error                        { return nil }
