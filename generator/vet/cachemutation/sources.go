// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package cachemutation

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/indexer-gen/indexer-gen/generator/vet/internal/handlers"
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
	results := common.Signature().Results()
	for i := range results.Len() {
		for _, in := range objectsIn(results.At(i).Type()) {
			if results.Len() > 1 {
				in = field(i) + in
			}
			s.add(effect{From: fromCache, To: result, In: in})
		}
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
	_, name := handlers.Named(recv.Type())
	if !strings.HasSuffix(name, "Lister") || !common.IsInvoke() && !inTable(callee.Pkg()) {
		return false
	}
	for _, imported := range callee.Pkg().Imports() {
		switch imported.Path() {
		case "k8s.io/client-go/tools/cache", "k8s.io/client-go/listers", ours + "lister":
			return true
		}
	}
	return false
}

// uncopied returns what Get or List of controller-runtime fills in if an option says that objects are not copied. The
// struct is a copy and shares its maps, slices and pointers.
func (a *analysis) uncopied(common *ssa.CallCommon, callee *types.Func) *summary {
	name, args := callee.Name(), common.Args
	if callee.Pkg().Path() != "sigs.k8s.io/controller-runtime/pkg/client" || name != "Get" && name != "List" || len(args) < 3 {
		return nil
	}
	options, ok := args[len(args)-1].(*ssa.Slice)
	if !ok || !disablesCopy(options.X) {
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

// disablesCopy reports whether UnsafeDisableDeepCopy is an option, a field of one, or in an array of options.
func disablesCopy(v ssa.Value) bool {
	const option = "UnsafeDisableDeepCopy"
	if _, name := handlers.Named(v.Type()); strings.HasPrefix(name, option) {
		return true
	}
	if v.Referrers() == nil {
		return false
	}
	for _, use := range *v.Referrers() {
		switch use := use.(type) {
		case *ssa.FieldAddr:
			if handlers.FieldOf(use).Name() == option {
				return true
			}
		case *ssa.IndexAddr:
			if disablesCopy(use) {
				return true
			}
		case *ssa.Store:
			if i, ok := use.Val.(*ssa.MakeInterface); ok && use.Addr == v && disablesCopy(i.X) {
				return true
			}
		}
	}
	return false
}
