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
	out := source.Convert(src, source.Conversion[metav1.Object, metav1.Object]{Object: t.object})
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

// object calls the transform. One that returns nil leaves the object out.
func (t *transform) object(key types.NamespacedName, obj metav1.Object) (metav1.Object, error) {
	if t.f == nil {
		return obj, nil
	}
	out, err := t.call(obj)
	switch {
	case err != nil:
		return nil, err
	case isNil(out):
		return nil, source.ErrDrop
	}
	object, ok := out.(metav1.Object)
	if !ok {
		return nil, source.Stop(fmt.Errorf("%s: transform returned a %T, which is not a metav1.Object", key, out))
	}
	return object, nil
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
