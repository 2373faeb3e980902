// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import "go/types"

// List is the list type of a root.
type List struct {
	Name     *types.TypeName
	Pointers bool // Items holds pointers
}

// ListOf returns the list type of a root, whatever its name. It embeds ListMeta and has Items
// of the root type or pointers to it. ListOf prefers the name XList.
func ListOf(scope *types.Scope, item *types.Named) *List {
	var found *List
	for _, name := range scope.Names() {
		obj, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !obj.Exported() {
			continue
		}
		st, ok := obj.Type().Underlying().(*types.Struct)
		if !ok || !Embeds(st, "ListMeta") {
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
				found = &List{obj, isPointer}
			}
		}
	}
	return found
}

// HasItems reports whether a struct has an Items field.
func HasItems(st *types.Struct) bool {
	for f := range st.Fields() {
		if f.Name() == "Items" {
			return true
		}
	}
	return false
}
