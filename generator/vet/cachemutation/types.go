// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"slices"
)

// refers reports whether a value of the type can refer to memory that somebody may write. Quantities and times are
// values, although they have pointers.
func (a *analysis) refers(t types.Type) bool {
	known, ok := a.referring[t]
	if !ok {
		a.referring[t] = false // a type that contains itself does so by reference
		known = a.findRefers(t)
		a.referring[t] = known
	}
	return known
}

func (a *analysis) findRefers(t types.Type) bool {
	switch types.TypeString(t, nil) {
	case "k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "error",
		"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime", "time.Time", "context.Context", "reflect.Value":
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Array:
		return a.refers(u.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return a.refers(v.Type()) })
	}
	return true
}

// isObject reports whether a type is a pointer to a metav1.Object, or an interface of some.
func isObject(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.TypeParam); ok {
		t = p.Constraint()
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "SetResourceVersion")
	_, ok := obj.(*types.Func)
	return ok
}

// objectsIn returns the paths to the objects in a result: one, a slice, or a sequence of them.
func objectsIn(t types.Type) (paths []path) {
	in := func(step path, t types.Type) {
		for _, p := range objectsIn(t) {
			paths = append(paths, step+p)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		if isObject(t) {
			return []path{""}
		}
	case *types.Slice:
		in(elem, u.Elem())
	case *types.Map:
		in(elem, u.Elem())
	case *types.Signature: // of an iterator
		if u.Results().Len() > 0 || u.Params().Len() != 1 {
			return nil
		}
		if y, ok := u.Params().At(0).Type().Underlying().(*types.Signature); ok {
			for i := range y.Params().Len() {
				in(yield+field(i), y.Params().At(i).Type())
			}
		}
	}
	return paths
}
