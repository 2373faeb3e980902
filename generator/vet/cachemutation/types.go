// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
)

// typeFacts answers questions about types.
type typeFacts struct {
	references map[types.Type]bool
	objects    map[types.Type]bool
}

// refers reports whether a value of the type can refer to memory that somebody may write. Quantities and times are
// values, although they have pointers.
func (f *typeFacts) refers(t types.Type) bool {
	if known, ok := f.references[t]; ok {
		return known
	}
	f.references[t] = false // a type that contains itself does so by reference
	f.references[t] = f.findRefers(t)
	return f.references[t]
}

func (f *typeFacts) findRefers(t types.Type) bool {
	if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer {
		switch pkg, name := handlers.Named(t); pkg + "." + name {
		case "k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/apis/meta/v1.Time",
			"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime", "time.Time", "context.Context", "reflect.Value":
			return false
		}
		if types.Identical(t, types.Universe.Lookup("error").Type()) {
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Array:
		return f.refers(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if f.refers(field.Type()) {
				return true
			}
		}
		return false
	case *types.Tuple:
		for v := range u.Variables() {
			if f.refers(v.Type()) {
				return true
			}
		}
		return false
	}
	return true
}

// object reports whether a type is a pointer to a metav1.Object, or an interface of some.
func (f *typeFacts) object(t types.Type) bool {
	known, ok := f.objects[t]
	if !ok {
		known = hasMethod(t, "GetResourceVersion") && hasMethod(t, "SetResourceVersion")
		f.objects[t] = known
	}
	return known
}

func hasMethod(t types.Type, name string) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = p.Constraint()
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
	_, ok := obj.(*types.Func)
	return ok
}

// objectsIn returns the paths to the objects in a result: one, a slice, or a sequence of them.
func (f *typeFacts) objectsIn(t types.Type) (paths []path) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		for _, p := range f.objectsIn(u.Elem()) {
			paths = append(paths, elem+p)
		}
	case *types.Map:
		for _, p := range f.objectsIn(u.Elem()) {
			paths = append(paths, elem+p)
		}
	case *types.Tuple:
		for i := range u.Len() {
			for _, p := range f.objectsIn(u.At(i).Type()) {
				paths = append(paths, field(i)+p)
			}
		}
	case *types.Signature: // of an iterator
		if u.Results().Len() > 0 || u.Params().Len() != 1 {
			return nil
		}
		if y, ok := u.Params().At(0).Type().Underlying().(*types.Signature); ok {
			for _, p := range f.objectsIn(y.Params()) {
				paths = append(paths, yield+p)
			}
		}
	case *types.Pointer, *types.Interface:
		if f.object(t) {
			paths = append(paths, "")
		}
	}
	return paths
}
