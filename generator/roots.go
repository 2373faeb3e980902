// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/types"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// root is a type that the API server could serve: a struct that embeds TypeMeta
// and ObjectMeta, or metadata of package slim.
type root struct {
	pkg   *loader.Package // that asks for it
	obj   *types.TypeName // by which emitted code knows it: its own name, or that of an alias
	named *types.Named
	spec  *ast.TypeSpec        // of obj
	home  *loader.Package      // that declares the type: pkg, unless obj is an alias
	kube  markers.MarkerValues // what kubebuilder and client-gen are told
	marks []*marker            // ours, on the type
	list  *list                // its list type, or nil
	slim  string               // what it embeds of package slim, or ""

	undecoded string // why its ObjectMeta is filled with nothing that a server sends, or ""

	copied string // the type of another package that it is declared as, without =; or ""
}

// roots lists the root types of a package by name, and reports markers on types
// that are none.
func roots(p *program, c *collected, pkg *loader.Package, kube map[ast.Node]markers.MarkerValues) []*root {
	var out []*root
	scope, bySpec := pkg.Types.Scope(), specs(pkg)
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		spec := bySpec[name]
		if !ok || spec == nil {
			continue
		}
		marks := c.types[spec]
		if obj.IsAlias() && len(marks) == 0 && len(kube[spec][selectable]) == 0 {
			continue
		}
		named, why := rootType(obj)
		if obj.IsAlias() {
			why = notAliased(p, pkg, spec, obj, why)
		}
		if why != "" {
			switch {
			case len(marks) > 0: // what is true of one of them is of all
				p.report.at(marks[0].pos, "%s is not a root type: %s", name, why)
			case len(kube[spec][selectable]) > 0:
				at := (&root{pkg: pkg, spec: spec}).place(selectable, contains(""))
				p.report.at(at, "+%s is for root types, and %s is none: %s", selectable, name, why)
			}
			continue
		}
		st := named.Underlying().(*types.Struct)
		slim, _ := slimMeta(st)
		r := &root{
			pkg: pkg, obj: obj, named: named, spec: spec, home: pkg, kube: kube[spec], marks: marks,
			list: listOf(scope, named, obj.IsAlias()), slim: slim, undecoded: undecoded(named, st),
			copied: copied(pkg, bySpec, spec),
		}
		if obj.IsAlias() {
			r.home = p.checked[named.Obj().Pkg().Path()]
			if r.list == nil {
				r.list = listOf(r.home.Types.Scope(), named, false)
			}
		}
		out = append(out, r)
	}
	return out
}

// rootType returns the type if it is a root, or why it is none.
func rootType(obj *types.TypeName) (*types.Named, string) {
	named, ok := types.Unalias(obj.Type()).(*types.Named)
	if !ok {
		return nil, "it is not a struct"
	}
	st, ok := named.Underlying().(*types.Struct)
	if !ok {
		return nil, "it is not a struct"
	}
	slim, wrong := slimMeta(st)
	switch {
	case embeds(st, "ListMeta") && !hasItems(st):
		return nil, "it embeds metav1.ListMeta, and root types embed metav1.ObjectMeta"
	case embeds(st, "ListMeta"):
		return nil, "it is a list; write the marker on the type of its items"
	case wrong != "":
		return nil, wrong
	case slim == "" && !embeds(st, "TypeMeta"):
		if why := embedsOtherwise(st); why != "" {
			return nil, why
		}
		return nil, "it does not embed metav1.TypeMeta; write the marker on the type that does"
	case slim == "" && !embeds(st, "ObjectMeta"):
		return nil, "it does not embed metav1.ObjectMeta by value; write metav1.ObjectMeta `json:\"metadata\"` in it"
	case embedsTwo(st) != "":
		return nil, embedsTwo(st)
	case !obj.Exported():
		return nil, "its name is not exported"
	case named.TypeParams().Len() > 0:
		return nil, "it has type parameters"
	}
	if method, of := hiddenMethod(named, st); method != "" {
		return nil, "it does not implement metav1.Object, for a " + method + " of its own hides that of " + of + "; give it another name"
	}
	return named, ""
}

// metadataOnly reports whether the objects of a root have no fields but metadata: none
// that JSON would fill, and no method that may fill others.
func (r *root) metadataOnly() bool {
	if types.NewMethodSet(types.NewPointer(r.named)).Lookup(nil, "UnmarshalJSON") != nil {
		return false
	}
	for _, f := range jsonFields(r.named.Underlying().(*types.Struct)) {
		if f.name != "metadata" && f.name != "kind" && f.name != "apiVersion" {
			return false
		}
	}
	return true
}

// slimLacks says why a root cannot have an index over labels or owner references;
// "" if it can.
func (r *root) slimLacks(what string) string {
	switch {
	case r.slim == "Meta" && what == "labels":
		return "slim.Meta has no labels; embed slim.Labeled"
	case r.slim != "" && what == "owner":
		return "package slim has no owner references; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
}
