// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package ctrlruntime

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/indexer-gen/indexer-gen/runtime/clientgo/untyped"
)

// copier copies cached objects of one type to those of a caller.
type copier struct {
	object     reflect.Type                   // a pointer
	registered func(from, into metav1.Object) // DeepCopyInto of a registered type, or nil
	method     reflect.Value                  // DeepCopyInto of any type; not valid if it does not have it
	kind       schema.GroupVersionKind
	apiVersion string
	shares     bool // objects are copied shallowly, unless a read says otherwise
}

func newCopier(example runtime.Object, kind schema.GroupVersionKind, shares bool) copier {
	c := copier{
		object: reflect.TypeOf(example), registered: untyped.DeepCopyInto(example),
		kind: kind, apiVersion: kind.GroupVersion().String(), shares: shares,
	}
	if m, ok := c.object.MethodByName("DeepCopyInto"); ok && m.Type.NumIn() == 2 && m.Type.In(1) == c.object {
		c.method = m.Func
	}
	return c
}

// shared reports whether a read with the option disables deep copies.
func (c *copier) shared(option *bool) bool { return c.shares || option != nil && *option }

// get copies obj to out.
func (c *copier) get(obj any, out client.Object, unsafeOption *bool) error {
	from, into := reflect.ValueOf(obj), reflect.ValueOf(out)
	if from.Type() != into.Type() {
		return fmt.Errorf("the cache has objects of type %v: a %v cannot be read", from.Type(), into.Type())
	}
	if c.shared(unsafeOption) {
		into.Elem().Set(from.Elem())
		return nil
	}
	c.deepCopyInto(obj.(runtime.Object), into, nil)
	return nil
}

// list copies objs to the items of out.
func (c *copier) list(objs []metav1.Object, out client.ObjectList, unsafeOption *bool) error {
	shared := c.shared(unsafeOption)
	items, err := meta.GetItemsPtr(out)
	if err != nil {
		return err
	}
	into := reflect.ValueOf(items).Elem()
	if into.Type().Elem() != c.object.Elem() { // for example, the items are pointers
		return c.setList(objs, out, shared)
	}
	all := reflect.MakeSlice(into.Type(), len(objs), len(objs))
	args := make([]reflect.Value, 2)
	for i, obj := range objs {
		if shared {
			all.Index(i).Set(reflect.ValueOf(obj).Elem())
			continue
		}
		c.deepCopyInto(obj.(runtime.Object), all.Index(i).Addr(), args)
	}
	into.Set(all)
	out.SetContinue(notContinued)
	return nil
}

// deepCopyInto copies obj to the struct that into points to, and sets the kind. args has room for two
// arguments, or is nil.
func (c *copier) deepCopyInto(obj runtime.Object, into reflect.Value, args []reflect.Value) {
	object := into.Interface().(runtime.Object)
	switch {
	case c.registered != nil:
		c.registered(obj.(metav1.Object), object.(metav1.Object))
	case c.method.IsValid():
		c.method.Call(append(args[:0], reflect.ValueOf(obj), into))
	default:
		into.Elem().Set(reflect.ValueOf(obj.DeepCopyObject()).Elem())
	}
	c.setKind(object)
}

func (c *copier) setKind(obj runtime.Object) {
	kind := obj.GetObjectKind()
	if t, ok := kind.(*metav1.TypeMeta); ok { // without joining group and version
		t.APIVersion, t.Kind = c.apiVersion, c.kind.Kind
		return
	}
	kind.SetGroupVersionKind(c.kind)
}

// setList sets items of any form.
func (c *copier) setList(objs []metav1.Object, out client.ObjectList, shared bool) error {
	copies := make([]runtime.Object, len(objs))
	for i, obj := range objs {
		copies[i] = obj.(runtime.Object)
		if !shared {
			copies[i] = copies[i].DeepCopyObject()
			c.setKind(copies[i])
		}
	}
	if err := meta.SetList(out, copies); err != nil {
		return err
	}
	out.SetContinue(notContinued)
	return nil
}
