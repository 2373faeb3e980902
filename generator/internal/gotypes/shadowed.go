// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import "go/types"

// ShadowedMethod returns the first method of metav1.Object that a root type does not get from
// its embedded metadata, and the name of that metadata. It returns "" if there is none.
// Stores access objects through these methods.
func ShadowedMethod(named *types.Named, st *types.Struct) (name, of string) {
	has := types.NewMethodSet(types.NewPointer(named))
	for f := range st.Fields() {
		if !f.Embedded() {
			continue
		}
		all, metadata := metadataObjectMethods(f.Type())
		for wanted := range all.Methods() {
			method := wanted.Obj()
			found := has.Lookup(method.Pkg(), method.Name())
			if method.Exported() && (found == nil || !types.Identical(found.Type(), wanted.Type())) {
				return method.Name(), metadata
			}
		}
	}
	return "", ""
}

// metadataObjectMethods returns the metav1.Object methods of embedded metadata and the name of that
// metadata. It returns nil if t is not metadata.
func metadataObjectMethods(t types.Type) (methods *types.MethodSet, of string) {
	for _, b := range embeddedMetas {
		if b.pkgPath == SlimPath && IsNamed(t, b.pkgPath, b.name) {
			return types.NewMethodSet(types.NewPointer(t)), b.String()
		}
	}
	if IsNamed(t, MetaV1Path, "ObjectMeta") {
		if object := types.Unalias(t).(*types.Named).Obj().Pkg().Scope().Lookup("Object"); object != nil {
			return types.NewMethodSet(object.Type()), "ObjectMeta"
		}
	}
	return new(types.MethodSet), ""
}
