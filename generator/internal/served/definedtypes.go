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

// copiedForeignTypeExpr returns the source text of the foreign type in a declaration such as
// type Pod corev1.Pod, or "". Such a root shares the fields of the foreign type, but not
// its methods or its resource. Generic and slim types do not count.
func copiedForeignTypeExpr(pkg *loader.Package, bySpec map[string]*ast.TypeSpec, spec *ast.TypeSpec) string {
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

// DeclaredServed reports whether the source states that the root is served, by
// +kubebuilder:object:root, +genclient or a list type in its package.
func (r *Root) DeclaredServed() bool {
	return r.hasServedMarker() || r.List != nil
}

// hasServedMarker reports whether the root has +kubebuilder:object:root or +genclient.
func (r *Root) hasServedMarker() bool {
	isRoot, _ := r.Kube.Get(marker.ObjectRoot).(bool)
	return isRoot || len(r.Kube[marker.Genclient]) > 0
}

// unservedCopyError returns an error for a root that copies a foreign type without stating that
// it is served, or "". An alias was most likely intended.
func (s *Package) unservedCopyError(r *Root) string {
	kind, from := r.Obj.Name(), r.Copied
	switch {
	case from == "":
		return ""
	case s.lacksGroup():
		return kind + " is a type of its own, and package " + s.Pkg.Name +
			" does not say the API group and version of it; did you mean type " +
			kind + " = " + from + "?"
	case r.DeclaredServed():
		return ""
	}
	return kind + " is a type of its own, of the API group of package " + s.Pkg.Name +
		", where nothing says that it is served; for the objects of " +
		from + " write type " + kind + " = " + from + ", and for those of " + kind + " // +" +
		marker.ObjectRoot + "=true above it"
}
