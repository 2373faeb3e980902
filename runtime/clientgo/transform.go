// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo

import (
	"fmt"
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"

	"github.com/indexer-gen/indexer-gen/runtime/source"
)

// Transform returns src with a transform of client-go, which may modify objects. A nil transform returns src.
func Transform(src source.Source[metav1.Object], f cache.TransformFunc) source.Source[metav1.Object] {
	if f == nil {
		return src
	}
	return (&transform[metav1.Object]{f: f}).of(src)
}

// transform passes the objects of a source through a function of client-go, which may modify them, and then to
// client-go's mutation detector.
type transform[T metav1.Object] struct {
	f         cache.TransformFunc    // may be nil; set before the first request
	mutations cache.MutationDetector // may be nil
}

// of returns src with the transform. Objects that the function may modify share no parts.
func (t *transform[T]) of(src source.Source[metav1.Object]) source.Source[T] {
	type lookup = func(types.NamespacedName) (T, bool)
	return source.Convert(src, source.Conversion[metav1.Object, T]{
		Object: t.object,
		Renames: func() func(types.NamespacedName, source.Delta[T]) types.NamespacedName {
			return (&renamedKeys[T]{keys: map[types.NamespacedName]types.NamespacedName{}}).keyOf
		},
		Held: func(held lookup) func(types.NamespacedName) (metav1.Object, bool) {
			if t.f != nil {
				return nil
			}
			return func(key types.NamespacedName) (metav1.Object, bool) { return held(key) }
		},
	})
}

// object calls the transform. One that returns nil leaves the object out.
func (t *transform[T]) object(key types.NamespacedName, obj metav1.Object) (typed T, err error) {
	out := any(obj)
	if t.f != nil {
		if out, err = t.call(obj); err != nil {
			return typed, err
		}
		if isNil(out) {
			return typed, source.ErrDrop
		}
	}
	if typed, err = as[T](out); err != nil {
		return typed, source.Stop(
			fmt.Errorf("%s: %w: a transform must return that type; see clientgo.Register", key, err))
	}
	if t.mutations != nil {
		t.mutations.AddObject(typed)
	}
	return typed, nil
}

func isNil(obj any) bool {
	v := reflect.ValueOf(obj)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// call calls the function. A panic is an error. Errors are not wrapped: source.ErrKeep and ErrDrop are for
// sources.
func (t *transform[T]) call(obj metav1.Object) (out any, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the transform panicked: %v", v)
		}
	}()
	if out, err = t.f(obj); err != nil {
		err = fmt.Errorf("the transform failed: %v", err)
	}
	return out, err
}
