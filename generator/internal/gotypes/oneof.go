// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// InOneof returns an error if name is that of a protobuf oneof in the struct, or of one of its
// members, or "". In YAML a member is a field of the message. In Go the message has an
// interface field, and each member is a struct that implements the interface.
func InOneof(st *types.Struct, name string) string {
	for i := range st.NumFields() {
		oneof := st.Field(i)
		choice, ok := oneof.Type().Underlying().(*types.Interface)
		declared := reflect.StructTag(st.Tag(i)).Get("protobuf_oneof")
		if !ok || declared == "" {
			continue
		}
		if declared == name {
			return "it is a protobuf oneof, which in Go is an interface"
		}
		scope := oneof.Pkg().Scope()
		for _, declared := range scope.Names() {
			t := scope.Lookup(declared).Type()
			member, ok := t.Underlying().(*types.Struct)
			if !ok || member.NumFields() != 1 || !types.Implements(types.NewPointer(t), choice) {
				continue
			}
			options := strings.Split(reflect.StructTag(member.Tag(0)).Get("protobuf"), ",")
			if slices.Contains(options, "name="+name) || slices.Contains(options, "json="+name) {
				return "it is a member of the protobuf oneof " + oneof.Name() +
					", which in Go is an interface"
			}
		}
	}
	return ""
}
