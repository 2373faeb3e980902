// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// slimPath is the package of metadata for types that hold only what their reader
// wants. A type that embeds one of its types is a root, if it is marked: what the
// API server sends of another kind, most likely, is decoded into it.
const slimPath = "github.com/indexer-gen/indexer-gen/runtime/slim"

// slimMeta returns what the struct embeds of package slim, Meta or Labeled, and
// what is wrong with how it does.
func slimMeta(st *types.Struct) (name, wrong string) {
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Embedded() {
			continue
		}
		for _, meta := range []string{"Meta", "Labeled"} {
			if isNamed(f.Type(), slimPath, meta) {
				name = meta
			}
		}
		if name == "" {
			continue
		}
		tag, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("json"), ",")
		if tag != "metadata" {
			wrong = "nothing would be decoded into its slim." + name + "; write slim." + name + " `json:\"metadata\"` in it"
		}
		return name, wrong
	}
	return "", ""
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

// notInSlim are the JSON names of what neither slim.Meta nor slim.Labeled has.
var notInSlim = []string{
	"annotations", "creationTimestamp", "deletionGracePeriodSeconds", "deletionTimestamp", "finalizers",
	"generateName", "generation", "managedFields", "ownerReferences", "selfLink",
}

// beyondSlim says that a path is to metadata that the root, a slim one, has not; "" if it
// is not.
func (r *resolver) beyondSlim(before, name string) string {
	slim, _ := slimMeta(r.root.Underlying().(*types.Struct))
	switch {
	case slim == "" || before != ".metadata":
		return ""
	case slim == "Meta" && name == "labels":
		return "slim.Meta has none; embed slim.Labeled"
	case slices.Contains(notInSlim, name):
		return "slim." + slim + " does not have it; embed metav1.TypeMeta and metav1.ObjectMeta"
	}
	return ""
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
