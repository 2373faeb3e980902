// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package layer

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// NotContinued is the continue token that controller-runtime sets in each list.
const NotContinued = "continue-not-supported"

// Copier copies cached objects of one type to those of a caller.
type Copier struct {
	object reflect.Type  // a pointer
	method reflect.Value // DeepCopyInto; not valid if the type does not have it
	kind   schema.GroupVersionKind
	parts  map[string]*Part // say which objects are copied shallowly
}

// NewCopier returns a Copier of objects of the type of example. Those of parts that share objects are copied shallowly.
func NewCopier(example runtime.Object, kind schema.GroupVersionKind, parts map[string]*Part) Copier {
	c := Copier{object: reflect.TypeOf(example), kind: kind, parts: parts}
	if m, ok := c.object.MethodByName("DeepCopyInto"); ok && m.Type.NumIn() == 2 && m.Type.In(1) == c.object {
		c.method = m.Func
	}
	return c
}

// shared reports whether a read with the option copies an object in a namespace shallowly.
func (c *Copier) shared(option *bool, namespace string) bool {
	if option != nil && *option {
		return true
	}
	part := c.parts[ConfiguredNamespace(c.parts, namespace)]
	return part != nil && part.UnsafeDisableDeepCopy
}

// Get copies obj to out.
func (c *Copier) Get(obj metav1.Object, out client.Object, unsafeOption *bool) error {
	from, into := reflect.ValueOf(obj), reflect.ValueOf(out)
	if from.Type() != into.Type() {
		return fmt.Errorf("the cache has objects of type %v: a %v cannot be read", from.Type(), into.Type())
	}
	if c.shared(unsafeOption, obj.GetNamespace()) {
		into.Elem().Set(from.Elem())
		return nil
	}
	c.deepCopyInto(obj.(runtime.Object), into)
	return nil
}

// List copies objs to the items of out.
func (c *Copier) List(objs []metav1.Object, out client.ObjectList, unsafeOption *bool) error {
	items, err := meta.GetItemsPtr(out)
	if err != nil {
		return err
	}
	into := reflect.ValueOf(items).Elem()
	if item := into.Type().Elem(); item != c.object && item != c.object.Elem() {
		return fmt.Errorf("the items of a %T are %v: the cache has objects of type %v", out, item, c.object)
	}
	all := reflect.MakeSlice(into.Type(), len(objs), len(objs))
	for i, obj := range objs {
		item := all.Index(i)
		if item.Kind() == reflect.Pointer {
			item.Set(reflect.New(c.object.Elem()))
		} else {
			item = item.Addr()
		}
		if c.shared(unsafeOption, obj.GetNamespace()) {
			item.Elem().Set(reflect.ValueOf(obj).Elem())
			continue
		}
		c.deepCopyInto(obj.(runtime.Object), item)
	}
	into.Set(all)
	out.SetContinue(NotContinued)
	return nil
}

// deepCopyInto copies obj to the struct that into points to, and sets the kind.
func (c *Copier) deepCopyInto(obj runtime.Object, into reflect.Value) {
	if c.method.IsValid() {
		c.method.Call([]reflect.Value{reflect.ValueOf(obj), into})
	} else {
		into.Elem().Set(reflect.ValueOf(obj.DeepCopyObject()).Elem())
	}
	into.Interface().(runtime.Object).GetObjectKind().SetGroupVersionKind(c.kind)
}
