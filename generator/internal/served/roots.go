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

// Root is a type that the API server could serve: a struct that embeds TypeMeta
// and ObjectMeta, or metadata of package slim.
type Root struct {
	Pkg   *loader.Package // that asks for it
	Obj   *types.TypeName // by which emitted code knows it: its own name, or that of an alias
	Named *types.Named
	Spec  *ast.TypeSpec        // of obj
	Home  *loader.Package      // that declares the type: pkg, unless obj is an alias
	Kube  markers.MarkerValues // what kubebuilder and client-gen are told
	Marks []*collect.Marker    // ours, on the type
	List  *gotypes.List        // its list type, or nil
	Slim  string               // what it embeds of package slim, or ""

	Undecoded string // why its ObjectMeta is filled with nothing that a server sends, or ""

	Copied string // the type of another package that it is declared as, without =; or ""
}

// Roots lists the root types of a package by name, and the markers on types that are none.
func Roots(p *load.Program, c *collect.Collected, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues) (out []*Root, mistakes []diag.Mistake) {
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
		if obj.IsAlias() {
			why = notAliased(p, pkg, spec, obj, why)
		}
		if why != "" {
			switch {
			case len(marks) > 0: // what is true of one of them is of all
				fail(marks[0].Pos, "%s is not a root type: %s", name, why)
			case len(kube[spec][marker.Selectable]) > 0:
				at := (&Root{Pkg: pkg, Spec: spec}).Place(marker.Selectable, contains(""))
				fail(at, "+%s is for root types, and %s is none: %s", marker.Selectable, name, why)
			}
			continue
		}
		st := named.Underlying().(*types.Struct)
		slim, _ := gotypes.SlimMeta(st)
		r := &Root{
			Pkg: pkg, Obj: obj, Named: named, Spec: spec, Home: pkg, Kube: kube[spec], Marks: marks,
			List: gotypes.ListOf(scope, named, obj.IsAlias()), Slim: slim, Undecoded: gotypes.Undecoded(named, st),
			Copied: copied(pkg, bySpec, spec),
		}
		if obj.IsAlias() {
			r.Home = p.Checked[named.Obj().Pkg().Path()]
			if r.List == nil {
				r.List = gotypes.ListOf(r.Home.Types.Scope(), named, false)
			}
		}
		out = append(out, r)
	}
	return out, mistakes
}

// RootType returns the type if it is a root, or why it is none.
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
		return nil, "it does not embed metav1.ObjectMeta by value; write metav1.ObjectMeta `json:\"metadata\"` in it"
	case gotypes.EmbedsTwo(st) != "":
		return nil, gotypes.EmbedsTwo(st)
	case !obj.Exported():
		return nil, "its name is not exported"
	case named.TypeParams().Len() > 0:
		return nil, "it has type parameters"
	}
	if method, of := gotypes.HiddenMethod(named, st); method != "" {
		return nil, "it does not implement metav1.Object, for a " + method + " of its own hides that of " + of + "; give it another name"
	}
	return named, ""
}

// MetadataOnly reports whether the objects of a root have no fields but metadata: none
// that JSON would fill, and no method that may fill others.
func (r *Root) MetadataOnly() bool {
	if types.NewMethodSet(types.NewPointer(r.Named)).Lookup(nil, "UnmarshalJSON") != nil {
		return false
	}
	for _, f := range gotypes.JSONFields(r.Named.Underlying().(*types.Struct)) {
		if f.Name != "metadata" && f.Name != "kind" && f.Name != "apiVersion" {
			return false
		}
	}
	return true
}

// SlimLacks says why a root cannot have an index over labels or owner references;
// "" if it can.
func (r *Root) SlimLacks(what string) string {
	switch {
	case r.Slim == "Meta" && what == "labels":
		return "slim.Meta has no labels; embed slim.Labeled"
	case r.Slim != "" && what == "owner":
		return "package slim has no owner references; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
}
