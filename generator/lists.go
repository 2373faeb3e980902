// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import "go/types"

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

// hasItems reports whether a struct has the field of lists.
func hasItems(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Name() == "Items" {
			return true
		}
	}
	return false
}
