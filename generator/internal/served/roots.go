// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package served

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
)

// Root is a type that an API server can serve: a struct that embeds metav1.TypeMeta and
// metav1.ObjectMeta, or the metadata of package slim.
type Root struct {
	Pkg   *loader.Package // the package that requests code for it
	Obj   *types.TypeName // its name in generated code; may be an alias
	Named *types.Named
	Spec  *ast.TypeSpec        // declares Obj
	Home  *loader.Package      // declares the type; differs from Pkg if Obj is an alias
	Kube  markers.MarkerValues // the kubebuilder and client-gen markers
	Marks []*collect.Marker    // the +index markers on the type
	List  *gotypes.List        // the list type, or nil
	Slim  string               // the embedded type of package slim, or ""

	Converted bool // no decoder fills its objects, so no server can be their source

	Undecoded string // why JSON decoding leaves its ObjectMeta empty, or ""

	Copied string // the foreign type in a declaration such as type Pod corev1.Pod, or ""
}

// Roots returns the root types of a package sorted by name, and a mistake for each other type
// with a marker for root types.
func Roots(
	p *load.Program, c *collect.Collected, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues,
) (out []*Root, mistakes []diag.Mistake) {
	fail := func(pos token.Pos, format string, args ...any) {
		mistakes = append(mistakes, diag.Mistake{Pos: pos, Message: fmt.Sprintf(format, args...)})
	}
	scope, bySpec := pkg.Types.Scope(), load.Specs(pkg)
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		spec := bySpec[name]
		if !ok || spec == nil {
			continue
		}
		marks := c.Types[spec]
		if obj.IsAlias() && len(marks) == 0 && len(kube[spec][marker.Selectable]) == 0 {
			continue
		}
		named, why := RootType(obj)
		converted := why != "" && len(marks) > 0 && !obj.IsAlias() && isMadeBySourceMap(obj)
		switch {
		case converted:
			named, why = obj.Type().(*types.Named), ""
		case obj.IsAlias():
			why = aliasError(p, pkg, spec, obj, why)
		}
		if why != "" {
			switch {
			case len(marks) > 0: // one error per type
				fail(marks[0].Pos, "%s is not a root type: %s", name, why)
			case len(kube[spec][marker.Selectable]) > 0:
				at := (&Root{Pkg: pkg, Spec: spec}).Place(marker.Selectable, containsText(""))
				fail(at, "+%s is for root types, and %s is not one: %s", marker.Selectable, name, why)
			}
			continue
		}
		st := named.Underlying().(*types.Struct)
		slim, _ := gotypes.SlimMeta(st)
		r := &Root{
			Pkg: pkg, Obj: obj, Named: named, Spec: spec, Home: pkg, Kube: kube[spec], Marks: marks,
			List: gotypes.ListOf(scope, named), Slim: slim, Converted: converted,
			Copied: copiedForeignTypeExpr(pkg, bySpec, spec),
		}
		if !converted {
			r.Undecoded = gotypes.Undecoded(named, st)
		}
		if obj.IsAlias() {
			r.Home = p.Checked[named.Obj().Pkg().Path()]
			if r.List == nil {
				r.List = gotypes.ListOf(r.Home.Types.Scope(), named)
			}
		}
		out = append(out, r)
	}
	return out, mistakes
}

// RootType returns the type if it is a root type, or nil and the reason.
func RootType(obj *types.TypeName) (*types.Named, string) {
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil, "it is not a struct"
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, "it is not a struct"
	}
	slim, wrong := gotypes.SlimMeta(st)
	switch {
	case gotypes.Embeds(st, "ListMeta") && !gotypes.HasItems(st):
		return nil, "it embeds metav1.ListMeta, and root types embed metav1.ObjectMeta"
	case gotypes.Embeds(st, "ListMeta"):
		return nil, "it is a list; write the marker on the type of its items"
	case wrong != "":
		return nil, wrong
	case slim == "" && !gotypes.Embeds(st, "TypeMeta"):
		if why := gotypes.EmbedsOtherwise(st); why != "" {
			return nil, why
		}
		return nil, "it does not embed metav1.TypeMeta; write the marker on the type that does"
	case slim == "" && !gotypes.Embeds(st, "ObjectMeta"):
		return nil,
			"it does not embed metav1.ObjectMeta by value; write metav1.ObjectMeta `json:\"metadata\"` in it"
	case gotypes.EmbedsTwo(st) != "":
		return nil, gotypes.EmbedsTwo(st)
	case !obj.Exported():
		return nil, "its name is not exported"
	case named.TypeParams().Len() > 0:
		return nil, "it has type parameters"
	}
	if method, of := gotypes.ShadowedMethod(named, st); method != "" {
		return nil, "it does not implement metav1.Object: its own " + method + " hides that of " + of +
			"; give it another name"
	}
	return named, ""
}

// Unmarked returns the reason why a type without a marker is no root type, or "".
func Unmarked(obj *types.TypeName) string {
	_, why := RootType(obj)
	if why != "" && isMadeBySourceMap(obj) {
		why = "if source.Map makes its objects, write // +index:generate above it; if a server sends them, " + why
	}
	return why
}

// isMadeBySourceMap reports whether a type that is no root as API types are is one of objects that
// source.Map makes. Types that embed a root or metav1.TypeMeta are not: they lack something.
func isMadeBySourceMap(obj *types.TypeName) bool {
	named, ok := obj.Type().(*types.Named)
	if !ok || !obj.Exported() || named.TypeParams().Len() > 0 {
		return false
	}
	st, ok := named.Underlying().(*types.Struct)
	return ok && !gotypes.Embeds(st, "TypeMeta") && gotypes.EmbedsTwo(st) == "" &&
		gotypes.EmbedsOtherwise(st) == "" && gotypes.Converted(named, st)
}

// SlimLacks returns the reason why a slim root cannot be indexed by "labels" or "owner",
// or "".
func (r *Root) SlimLacks(what string) string {
	switch {
	case r.Slim == "Meta" && what == "labels":
		return "slim.Meta has no labels; embed slim.Labeled"
	case r.Slim != "" && what == "owner":
		return "package slim has no owner references; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
}
