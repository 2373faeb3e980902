// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"reflect"
	"strings"
)

// SlimPath is the package of metadata for types that hold only what their reader
// wants. A type that embeds one of its types is a root, if it is marked: what the
// API server sends of another kind, most likely, is decoded into it.
const SlimPath = "github.com/indexer-gen/indexer-gen/runtime/slim"

// SlimMeta returns what the struct embeds of package slim, Meta or Labeled, and
// what is wrong with how it does.
func SlimMeta(st *types.Struct) (name, wrong string) {
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Embedded() {
			continue
		}
		for _, meta := range []string{"Meta", "Labeled"} {
			if IsNamed(f.Type(), SlimPath, meta) {
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
