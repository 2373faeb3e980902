// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

const ours = "github.com/indexer-gen/indexer-gen/runtime/"

// source returns what a call yields if it reads a cache: one of a lister, of a client without copies, or of ours.
func (a *analysis) source(common *ssa.CallCommon, callee *types.Func) *summary {
	if callee.Pkg() == nil {
		return nil
	}
	if s := a.uncopied(common, callee); s != nil {
		return s
	}
	if !reads(common, callee) {
		return nil
	}
	s := &summary{}
	for _, in := range objectsIn(common.Signature().Results()) {
		s.add(effect{From: fromCache, To: result, In: in})
	}
	return s
}

// reads reports whether a function is a method of a lister, or of our stores.
func reads(common *ssa.CallCommon, callee *types.Func) bool {
	if strings.Contains(callee.Name(), "Copy") {
		return false
	}
	if pkg := callee.Pkg().Path(); pkg == ours+"lister" || pkg == ours+"store" {
		return true
	}
	recv := callee.Signature().Recv()
	if recv == nil {
		return false
	}
	_, name := program.Named(recv.Type())
	if !strings.HasSuffix(name, "Lister") || !common.IsInvoke() && !inTable(callee.Pkg()) {
		return false
	}
	return slices.ContainsFunc(callee.Pkg().Imports(), func(imported *types.Package) bool {
		path := imported.Path()
		return path == program.CachePackage || path == "k8s.io/client-go/listers" || path == ours+"lister"
	})
}

// uncopied returns what Get or List of controller-runtime fills in if an option says that objects are not copied. The
// struct is a copy and shares its maps, slices and pointers.
func (a *analysis) uncopied(common *ssa.CallCommon, callee *types.Func) *summary {
	name, args := callee.Name(), common.Args
	if callee.Pkg().Path() != "sigs.k8s.io/controller-runtime/pkg/client" || name != "Get" && name != "List" || len(args) < 3 {
		return nil
	}
	if !a.names(common.Pos(), "UnsafeDisableDeepCopy") {
		return nil
	}
	e := effect{From: fromCache, To: len(args) - 2, In: deref}
	e.Way = []step{{nameOf(callee) + " with UnsafeDisableDeepCopy", a.place(common.Pos())}}
	if name == "List" {
		e.In += some + elem // Items
	}
	if common.IsInvoke() {
		e.To++
	}
	return &summary{[]effect{e}}
}

// names reports whether a call has an argument whose name begins so.
func (a *analysis) names(lparen token.Pos, prefix string) bool {
	for call := range a.at(lparen).Enclosing((*ast.CallExpr)(nil)) {
		for name := range call.Preorder((*ast.Ident)(nil)) {
			if call.Node().(*ast.CallExpr).Lparen == lparen && strings.HasPrefix(name.Node().(*ast.Ident).Name, prefix) {
				return true
			}
		}
	}
	return false
}

// refers reports whether a value of the type can refer to memory that somebody may write. Quantities and times are
// values, although they have pointers.
func (a *analysis) refers(t types.Type) (refers bool) {
	if known, ok := a.referring[t]; ok {
		return known
	}
	a.referring[t] = false // a type that contains itself does so by reference
	defer func() { a.referring[t] = refers }()
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
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "SetResourceVersion")
	_, ok := obj.(*types.Func)
	return ok
}

// objectsIn returns the paths to the objects in results: one, a slice, or a sequence of them.
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
	case *types.Tuple:
		if u.Len() == 1 {
			return objectsIn(u.At(0).Type())
		}
		for i := range u.Len() {
			in(field(i), u.At(i).Type())
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
