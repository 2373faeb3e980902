// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// copied returns the type of another package that a root is declared as, without =,
// as the source writes it, or "". Such a root is a type of its own: it shares the
// fields of the other, and neither its methods nor where it is served. An instance of
// a generic type, or a slim one, is no copy of what is served.
func copied(pkg *loader.Package, bySpec map[string]*ast.TypeSpec, spec *ast.TypeSpec) string {
	for range len(bySpec) {
		if spec == nil || spec.Assign.IsValid() {
			return ""
		}
		named, ok := types.Unalias(pkg.TypesInfo.TypeOf(spec.Type)).(*types.Named)
		switch {
		case !ok || named.TypeArgs().Len() > 0 || named.Obj().Pkg() == nil:
			return ""
		case named.Obj().Pkg() != pkg.Types:
			if st, ok := named.Underlying().(*types.Struct); !ok || !gotypes.Embeds(st, "TypeMeta") {
				return ""
			}
			return types.ExprString(spec.Type)
		}
		spec = bySpec[named.Obj().Name()]
	}
	return ""
}

// SaidServed reports whether something says that the type of a root is served:
// kubebuilder's marker, client-gen's, or a list of it beside it.
func (r *Root) SaidServed() bool {
	isRoot, _ := r.Kube.Get(marker.ObjectRoot).(bool)
	return isRoot || len(r.Kube[marker.Genclient]) > 0 || r.List != nil
}

// mistakenCopy refuses a root that is declared as a type of another package, if nothing
// says that the new type is served: most likely an alias was meant. It returns the
// message, or "".
func (s *Package) mistakenCopy(r *Root) string {
	kind, from := r.Obj.Name(), r.Copied
	switch {
	case from == "":
		return ""
	case s.unnamed():
		return kind + " is a type of its own, and package " + s.Pkg.Name + " does not say the API group and version of it; did you mean type " +
			kind + " = " + from + "?"
	case r.SaidServed():
		return ""
	}
	return kind + " is a type of its own, of the API group of package " + s.Pkg.Name + ", where nothing says that it is served; for the objects of " +
		from + " write type " + kind + " = " + from + ", and for those of " + kind + " // +" + marker.ObjectRoot + "=true above it"
}
