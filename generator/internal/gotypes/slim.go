// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"reflect"
	"strings"
)

// SlimPath is the import path of package slim. Types that embed its metadata hold only the
// fields that their reader needs. They are roots if they are marked.
const SlimPath = "github.com/indexer-gen/indexer-gen/runtime/slim"

// SlimMeta returns the embedded type of package slim, Meta, Labeled or Annotated, or "". wrong is the
// error if it is not embedded correctly.
func SlimMeta(st *types.Struct) (name, wrong string) {
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Embedded() {
			continue
		}
		for _, meta := range []string{"Meta", "Labeled", "Annotated"} {
			if IsNamed(f.Type(), SlimPath, meta) {
				name = meta
			}
		}
		if name == "" {
			continue
		}
		tag, _, _ := strings.Cut(reflect.StructTag(st.Tag(i)).Get("json"), ",")
		if tag != "metadata" {
			wrong = "nothing would be decoded into its slim." + name + "; write slim." + name +
				" `json:\"metadata\"` in it"
		}
		return name, wrong
	}
	return "", ""
}
