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

// transform passes the objects of a source through a function of client-go, which may modify them.
type transform struct {
	f cache.TransformFunc // may be nil; set before the first request
}

// of returns src with the transform. Objects that the function may modify share no parts.
func (t *transform) of(src source.Source[metav1.Object]) source.Source[metav1.Object] {
	out := source.Convert(src, source.Conversion[metav1.Object, metav1.Object]{Item: t.item})
	if src.Reuse != nil {
		changed := out.ListerWatcher
		out.Reuse = func(held func(types.NamespacedName) (metav1.Object, bool)) source.ListerWatcher[metav1.Object] {
			if t.f != nil {
				return changed
			}
			return src.Reuse(held)
		}
	}
	return out
}

// item returns item with the object that the function returns. Without one, the object is left out. It
// returns an error if the result cannot be stored.
func (t *transform) item(item source.Item[metav1.Object]) (source.Item[metav1.Object], error) {
	if t.f == nil || item.Object == nil {
		return item, nil
	}
	key := keyOrNil(item.Object) // before the call, which may fail halfway
	obj, err := t.call(item.Object)
	if err == nil && isNil(obj) {
		return source.Item[metav1.Object]{Key: key, Err: source.ErrDrop}, nil
	}
	if err != nil {
		return source.Item[metav1.Object]{Key: key, Err: fmt.Errorf("%s: %w", key, err)}, nil
	}
	object, ok := obj.(metav1.Object)
	if !ok {
		return item, fmt.Errorf("%s: transform returned a %T, which is not a metav1.Object", key, obj)
	}
	return source.Item[metav1.Object]{Object: object}, nil
}

func isNil(obj any) bool {
	v := reflect.ValueOf(obj)
	return !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil()
}

// call calls the function. A panic is an error. Errors are not wrapped: source.ErrKeep and ErrDrop are for
// sources.
func (t *transform) call(obj metav1.Object) (out any, err error) {
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
