// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// aliasError returns the reason why a marked alias is no root type, or "". The aliased type
// must be a resolved root type of another package. why is the reason why the aliased type
// is no root type, or "".
func aliasError(
	p *load.Program, pkg *loader.Package, spec *ast.TypeSpec, obj *types.TypeName, aliasedTypeError string,
) string {
	sel, isSelector := spec.Type.(*ast.SelectorExpr)
	named, isNamed := types.Unalias(obj.Type()).(*types.Named)
	switch {
	case gotypes.Invalid(obj.Type()) && isSelector:
		_, message := p.WhyUnresolved(pkg, load.FileOf(pkg, spec), sel)
		return "it is an alias of " + types.ExprString(sel) + ", and " + message
	case gotypes.Invalid(obj.Type()):
		return "it is an alias of " + types.ExprString(spec.Type) + ", which cannot be resolved"
	case spec.TypeParams != nil:
		return "it has type parameters"
	case !isNamed || named.Obj().Pkg() == nil:
		return "it is an alias of " + types.ExprString(spec.Type) + ", which is no root type"
	case named.TypeArgs().Len() > 0:
		return "it is an alias of " + types.ExprString(spec.Type) +
			", which has type arguments; make it a type of its own, without the ="
	case named.Obj().Pkg() == pkg.Types:
		return "it is an alias of " + named.Obj().Name() + " in the same package; write the marker there"
	case aliasedTypeError != "":
		return "it is an alias of " + types.ExprString(spec.Type) + ": " + aliasedTypeError
	case p.Checked[named.Obj().Pkg().Path()] == nil:
		return "the package of " + types.ExprString(spec.Type) + " cannot be loaded"
	}
	return ""
}

// adoptAliasedMarkers reads group, version and markers from the package of the aliased type. Markers on
// the alias override them: +kubebuilder:resource and +genclient:nonNamespaced, and in the
// doc comment +groupName and +versionName.
func (r *Root) adoptAliasedMarkers(p *load.Program, all *markers.Collector) (group, version string, ok bool) {
	foreign, err := all.MarkersInPackage(r.Home)
	if err != nil {
		foreign = map[ast.Node]markers.MarkerValues{} // the user cannot fix markers in a foreign package
	}
	group, version, ok, _ = GroupVersionOf(p, r.Home, foreign)
	kube := maps.Clone(foreign[load.Specs(r.Home)[r.Named.Obj().Name()]])
	if kube == nil {
		kube = markers.MarkerValues{}
	}
	hasPath := r.Kube.Get(marker.ResourceName) != nil || slices.ContainsFunc(
		r.Kube[marker.ResourceMark], func(v any) bool { return v.(resourceOptions).Path != "" })
	for name, values := range r.Kube {
		if name == marker.ResourceMark {
			values = appendResourceMarkers(kube[name], values)
		}
		kube[name] = values
	}
	r.Kube = kube
	own := r.readCommentGroupVersion(p)
	if own.group != nil {
		group, ok = *own.group, true
	}
	if own.version != nil {
		version = *own.version
	}
	if r.reportUnnamedPartialObject(p, own, hasPath) {
		return group, version, ok
	}
	name := types.ExprString(r.Spec.Type)
	if !ok {
		p.Report.At(r.Spec.Name.Pos(),
			"package %s does not say the API group of %s; write // +groupName=example.com above %s",
			r.Home.PkgPath, name, r.Obj.Name())
	}
	if version == "" {
		p.Report.At(r.Spec.Name.Pos(),
			"package %s does not say the API version of %s; write // +versionName=v1 above %s",
			r.Home.PkgPath, name, r.Obj.Name())
	}
	return group, version, ok
}

// appendResourceMarkers appends the alias's +kubebuilder:resource markers to those of the aliased type.
// Later options override earlier ones. A marker without a scope means namespaced, so the
// scope is copied.
func appendResourceMarkers(foreign, own []any) []any {
	out := slices.Clone(foreign)
	for _, v := range own {
		o := v.(resourceOptions)
		if len(out) > 0 && o.Scope == "" {
			o.Scope = out[len(out)-1].(resourceOptions).Scope
		}
		out = append(out, o)
	}
	return out
}
