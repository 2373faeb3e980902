// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/ast"
	"go/types"
	"slices"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

const metav1Path = "k8s.io/apimachinery/pkg/apis/meta/v1"

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
			why = p.notAliased(pkg, spec, obj, why)
		}
		if why != "" {
			for _, m := range marks {
				p.report.at(m.pos, "%s is not a root type: %s", name, why)
			}
			if len(kube[spec][selectable]) > 0 {
				at := (&root{pkg: pkg, spec: spec}).place(selectable, contains(""))
				p.report.at(at, "+%s is for root types, and %s is none: %s", selectable, name, why)
			}
			continue
		}
		st := named.Underlying().(*types.Struct)
		slim, _ := slimMeta(st)
		r := &root{
			pkg: pkg, obj: obj, named: named, spec: spec, home: pkg, kube: kube[spec], marks: marks,
			list: listOf(scope, named, obj.IsAlias()), slim: slim, undecoded: undecoded(st),
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
	if method := hiddenMethod(named, st); method != "" {
		return nil, "it does not implement metav1.Object, for a " + method + " of its own hides that of ObjectMeta; give it another name"
	}
	if method := hiddenSlimMethod(named, st); method != "" {
		return nil, "it does not implement metav1.Object, for a " + method + " of its own hides that of slim." + slim + "; give it another name"
	}
	return named, ""
}

// hasItems reports whether a struct has the field of lists.
func hasItems(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Name() == "Items" {
			return true
		}
	}
	return false
}

// hiddenMethod names a method of metav1.Object that a root type does not have as
// ObjectMeta has it, or "". Stores know objects by these methods.
func hiddenMethod(named *types.Named, st *types.Struct) string {
	for f := range st.Fields() {
		meta, ok := types.Unalias(f.Type()).(*types.Named)
		if !ok || !f.Embedded() || f.Name() != "ObjectMeta" {
			continue
		}
		object := meta.Obj().Pkg().Scope().Lookup("Object")
		if object == nil || !types.IsInterface(object.Type()) {
			return ""
		}
		if missing, _ := types.MissingMethod(types.NewPointer(named), object.Type().Underlying().(*types.Interface), false); missing != nil {
			return missing.Name()
		}
	}
	return ""
}

// embeds reports whether the struct embeds the type of that name from metav1.
func embeds(st *types.Struct, name string) bool {
	for f := range st.Fields() {
		if f.Embedded() && isNamed(f.Type(), metav1Path, name) {
			return true
		}
	}
	return false
}

func isNamed(t types.Type, path, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == path
}

// list is the type that lists a root.
type list struct {
	name     *types.TypeName
	pointers bool // to its items
}

// listOf finds the type that lists a root, whatever its name: it embeds ListMeta
// and has Items of the root's type, or pointers to them. XList is preferred.
func listOf(scope *types.Scope, item *types.Named, aliases bool) *list {
	var found *list
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || obj.IsAlias() && !aliases || !obj.Exported() {
			continue
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if !ok || !embeds(st, "ListMeta") {
			continue
		}
		for f := range st.Fields() {
			items, ok := f.Type().Underlying().(*types.Slice)
			if f.Name() != "Items" || !ok {
				continue
			}
			pointer, isPointer := types.Unalias(items.Elem()).(*types.Pointer)
			if !types.Identical(items.Elem(), item) && !(isPointer && types.Identical(pointer.Elem(), item)) {
				continue
			}
			if name == item.Obj().Name()+"List" || found == nil {
				found = &list{obj, isPointer}
			}
		}
	}
	return found
}

// selected limits -all to types that are served. A package that says which of its
// types are (kubebuilder:object:root or genclient) is believed; in others every
// root type counts.
func selected(all []*root) map[*root]bool {
	out := map[*root]bool{}
	declared := false
	for _, r := range all {
		isRoot, _ := r.kube.Get(objectRoot).(bool)
		if isRoot || len(r.kube[genclient]) > 0 {
			declared = true
			if watchable(r.kube) && r.undecoded == "" {
				out[r] = true
			}
		}
	}
	if !declared {
		for _, r := range all {
			out[r] = r.slim == "" && r.undecoded == "" && (r.copied == "" || r.saidServed()) // neither is likely to be served as such
		}
	}
	return out
}

// leftOut says why -all passes over a root type, one of all of its package.
func (r *root) leftOut(all []*root, version string) string {
	served := func(r *root) bool {
		isRoot, _ := r.kube.Get(objectRoot).(bool)
		return isRoot || len(r.kube[genclient]) > 0
	}
	switch {
	case version == internalVersion:
		return "of the internal version"
	case r.undecoded != "":
		return "nothing would be decoded into its ObjectMeta"
	case served(r):
		return "no list and watch"
	case r.copied != "" && !r.saidServed():
		return "declared as " + r.copied + " is, and nothing says that it is served"
	case slices.ContainsFunc(all, served):
		return "no +" + objectRoot + " or +" + genclient + ", which other types have"
	}
	return "slim, and no +index marker"
}
