// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/model"
)

// keyType returns the model of a type that can be a key, or why it cannot.
//
// The decision goes by kind and at any depth. types.Comparable is no help: it is
// true of interfaces, which panic; of floats, where NaN is unlike itself; and of
// Time and Quantity, where == tells equal values apart.
func keyType(t types.Type) (model.GoType, string) {
	if why := notKey(t, ""); why != "" {
		return model.GoType{}, why
	}
	return goType(t), ""
}

// unsuitable are comparable types whose == is not equality.
var unsuitable = map[string]string{
	metav1Path + ".Time":                            "== on metav1.Time compares time zones and clock readings too; it is not supported yet",
	metav1Path + ".MicroTime":                       "== on metav1.MicroTime compares time zones and clock readings too; it is not supported yet",
	"k8s.io/apimachinery/pkg/api/resource.Quantity": "== on resource.Quantity tells 1 and 1000m apart; it is not supported yet",
	"time.Time": "== on time.Time compares time zones and clock readings too",
}

// isUnsuitable reports whether it is the type itself that has no right ==.
func isUnsuitable(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && unsuitable[named.Obj().Pkg().Path()+"."+named.Obj().Name()] != ""
}

// notKey says why a type cannot be a key, or "". where is the field of a struct
// key that is being looked at.
func notKey(t types.Type, where string) string {
	t = types.Unalias(t)
	in := func(what string) string {
		if where != "" {
			return fmt.Sprintf("its field %s %s", where, what)
		}
		return "it " + what
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() != nil {
		if why := unsuitable[named.Obj().Pkg().Path()+"."+named.Obj().Name()]; why != "" {
			if where != "" {
				return fmt.Sprintf("its field %s is unsuitable, for %s", where, why)
			}
			return why
		}
	}
	if named, ok := t.(*types.Named); ok {
		for arg := range named.TypeArgs().Types() {
			switch types.Unalias(arg).(type) {
			case *types.Named, *types.Basic, *types.Array:
			default:
				return in("has the type argument " + arg.String() + ", which has no name")
			}
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Kind() == types.Invalid:
			return in("has a type that cannot be resolved")
		case u.Info()&(types.IsBoolean|types.IsInteger|types.IsString) != 0:
			return ""
		case u.Info()&(types.IsFloat|types.IsComplex) != 0:
			return in("is a floating-point number, and a NaN would never be found")
		}
		return in("is no value that can be kept")
	case *types.Array:
		return notKey(u.Elem(), where)
	case *types.Struct:
		if u.NumFields() == 0 {
			return in("is a struct without fields")
		}
		if _, named := t.(*types.Named); !named {
			return in("is a struct without a name; give its type a name")
		}
		for f := range u.Fields() {
			name := f.Name()
			if where != "" {
				name = where + "." + name
			}
			if why := notKey(f.Type(), name); why != "" {
				return why
			}
		}
		return ""
	case *types.Pointer:
		return in("is a pointer, which compares identity")
	case *types.Interface:
		return in("is an interface, whose comparison can panic")
	case *types.Slice:
		return in("is a list")
	case *types.Map:
		return in("is a map")
	case *types.Signature:
		return in("is a function")
	case *types.Chan:
		return in("is a channel")
	}
	return in("is of type " + t.String())
}

// notOrdered says why the values of a key type have no order, or "".
func notOrdered(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsOrdered != 0 {
		return ""
	}
	return "has no order: it is neither a string nor a number"
}

// goType describes a type that notKey accepts.
func goType(t types.Type) model.GoType {
	if alias, ok := t.(*types.Alias); ok && alias.Obj().Exported() && alias.Obj().Pkg() != nil && alias.TypeArgs().Len() == 0 {
		return model.GoType{Ident: identOf(alias.Obj())} // what it stands for may be internal to its package
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		out := model.GoType{Ident: identOf(t.Obj())}
		for arg := range t.TypeArgs().Types() {
			out.Args = append(out.Args, goType(arg))
		}
		return out
	case *types.Array:
		elem := goType(t.Elem())
		return model.GoType{Array: t.Len(), Elem: &elem}
	case *types.Basic:
		return model.GoType{Ident: model.Ident{Name: t.Name()}}
	}
	return model.GoType{Ident: model.Ident{Name: t.String()}}
}

func identOf(obj *types.TypeName) model.Ident {
	if obj.Pkg() == nil {
		return model.Ident{Name: obj.Name()}
	}
	return model.Ident{Path: obj.Pkg().Path(), Name: obj.Name()}
}

// hidden returns the first unexported type that a key is made of, or "". An
// emitted file of another package cannot name it.
func hidden(t types.Type) string {
	if alias, ok := t.(*types.Alias); ok && alias.Obj().Exported() && alias.Obj().Pkg() != nil && alias.TypeArgs().Len() == 0 {
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pkg() != nil && !t.Obj().Exported() {
			return t.Obj().Name()
		}
		for arg := range t.TypeArgs().Types() {
			if h := hidden(arg); h != "" {
				return h
			}
		}
	case *types.Array:
		return hidden(t.Elem())
	}
	return ""
}
