// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"reflect"
)

// Converted reports whether a struct is a metav1.Object that no decoder fills: source.Map makes its
// objects. It has accessors of its own, or embeds metadata and has no json tags.
func Converted(named *types.Named, st *types.Struct) bool {
	if !hasMetaObjectMethods(named) {
		return false
	}
	for i := range st.NumFields() {
		if _, tagged := reflect.StructTag(st.Tag(i)).Lookup("json"); tagged && embedsObjectOrSlimMeta(st) {
			return false
		}
	}
	return true
}

// objectAccessors are what metav1.Object has a getter and a setter for.
var objectAccessors = []string{
	"Annotations", "CreationTimestamp", "DeletionGracePeriodSeconds", "DeletionTimestamp", "Finalizers",
	"GenerateName", "Generation", "Labels", "ManagedFields", "Name", "Namespace", "OwnerReferences",
	"ResourceVersion", "SelfLink", "UID",
}

// hasMetaObjectMethods reports whether pointers to the type have the methods of metav1.Object. It compares names
// only, because types of other packages may be unresolved.
func hasMetaObjectMethods(named *types.Named) bool {
	has := types.NewMethodSet(types.NewPointer(named))
	for _, part := range objectAccessors {
		if has.Lookup(nil, "Get"+part) == nil || has.Lookup(nil, "Set"+part) == nil {
			return false
		}
	}
	return true
}

// embedsObjectOrSlimMeta reports whether a struct embeds metadata by value.
func embedsObjectOrSlimMeta(st *types.Struct) bool {
	slim, _ := SlimMeta(st)
	return slim != "" || Embeds(st, "ObjectMeta")
}
