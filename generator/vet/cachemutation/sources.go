// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/program"
)

const runtimePath = "github.com/indexer-gen/indexer-gen/runtime/"

// cacheReadSummary returns what a call yields if it reads a cache: one of a lister, of a client without copies, or of
// ours.
func (a *packageAnalysis) cacheReadSummary(common *ssa.CallCommon, callee *types.Func) *summary {
	if callee.Pkg() == nil {
		return nil
	}
	if s := a.uncopiedReadSummary(common, callee); s != nil || !isUncopiedListerRead(common, callee) {
		return s
	}
	s, results := &summary{}, common.Signature().Results()
	for _, in := range resultObjectPaths(results) {
		if results.Len() == 1 {
			_, in = in.cutStep()
		}
		s.addEffect(effect{From: fromCache, To: toResult, In: in})
	}
	return s
}

// isUncopiedListerRead reports whether a function is a method of a lister, or of our stores.
func isUncopiedListerRead(common *ssa.CallCommon, callee *types.Func) bool {
	recv, pkg := callee.Signature().Recv(), callee.Pkg().Path()
	own := pkg == runtimePath+"lister" || pkg == runtimePath+"store"
	if copies := strings.Contains(callee.Name(), "Copy"); copies || own || recv == nil {
		return own && !copies
	}
	_, name := program.Named(recv.Type())
	caches := []string{program.CachePackage, "k8s.io/client-go/listers", runtimePath + "lister"}
	isCache := func(imported *types.Package) bool { return slices.Contains(caches, imported.Path()) }
	return strings.HasSuffix(name, "Lister") && (common.IsInvoke() || isKnownByTableOnly(callee.Pkg())) &&
		slices.ContainsFunc(callee.Pkg().Imports(), isCache)
}

// uncopiedReadSummary returns what Get or List of controller-runtime fills in if an option says that objects are not
// copied. The struct is a copy and shares its maps, slices and pointers.
func (a *packageAnalysis) uncopiedReadSummary(common *ssa.CallCommon, callee *types.Func) *summary {
	pkg, name := callee.Pkg().Path(), callee.Name()
	if pkg != "sigs.k8s.io/controller-runtime/pkg/client" || name != "Get" && name != "List" {
		return nil
	}
	disabled := false
	ast.Inspect(a.writtenOrCallExpr(common.Pos()), func(n ast.Node) bool {
		if option, ok := n.(*ast.Ident); ok {
			disabled = disabled && option.Name != "false" || strings.HasPrefix(option.Name, "UnsafeDisableDeepCopy")
		}
		return true
	})
	if !disabled {
		return nil
	}
	e := effect{From: fromCache, To: common.Signature().Params().Len() - 1, In: derefStep}
	e.Way = []wayStep{{functionName(callee) + " with UnsafeDisableDeepCopy", a.positionText(common.Pos())}}
	if name == "List" {
		e.In += hiddenFieldStep + elementStep // Items
	}
	return &summary{[]effect{e}}
}

// canRefer reports whether a value of the type can refer to memory that somebody may write. Quantities and times are
// values, although they have pointers.
func (a *packageAnalysis) canRefer(t types.Type) (refers bool) {
	if known, ok := a.referringTypes[t]; ok {
		return known
	}
	a.referringTypes[t] = false // a type that contains itself does so by reference
	defer func() { a.referringTypes[t] = refers }()
	switch types.TypeString(t, nil) {
	case "k8s.io/apimachinery/pkg/api/resource.Quantity", "k8s.io/apimachinery/pkg/apis/meta/v1.Time", "error",
		"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime", "time.Time", "context.Context", "reflect.Value":
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return false
	case *types.Array:
		return a.canRefer(u.Elem())
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(u.Fields()), func(v *types.Var) bool { return a.canRefer(v.Type()) })
	}
	return true
}

// isObject reports whether a type is a pointer to a metav1.Object, or an interface of some.
func isObject(t types.Type) bool {
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "SetResourceVersion")
	_, ok := obj.(*types.Func)
	return ok
}

// resultObjectPaths returns the paths to the objects in results: one, a slice, or a sequence of them.
func resultObjectPaths(t types.Type) (paths []path) {
	in := func(step path, t types.Type) {
		for _, p := range resultObjectPaths(t) {
			paths = append(paths, step+p)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer, *types.Interface:
		if isObject(t) {
			return []path{""}
		}
	case *types.Tuple:
		for i := range u.Len() {
			in(fieldOrResultStep(i), u.At(i).Type())
		}
	case interface{ Elem() types.Type }:
		in(elementStep, u.Elem())
	case *types.Signature: // of an iterator
		if u.Results().Len() == 0 && u.Params().Len() == 1 {
			if y, ok := u.Params().At(0).Type().Underlying().(*types.Signature); ok {
				in(yieldStep, y.Params())
			}
		}
	}
	return paths
}
