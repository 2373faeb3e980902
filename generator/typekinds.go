// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
)

// invalid reports whether a type, or what it points to or lists, is unresolved.
func invalid(t types.Type) bool {
	elem, _ := element(t)
	b, ok := elem.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Invalid
}

// isText reports whether the values of a type are strings.
func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// isBytes reports whether a type is a list of bytes.
func isBytes(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := list.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// element returns the struct or scalar behind pointers, lists and maps, and the
// steps that lead through the lists and maps.
func element(t types.Type) (types.Type, fieldpath.Path) {
	var steps fieldpath.Path
	for range 10 { // deeper nesting than anyone writes
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
			steps = append(steps, fieldpath.Step{Kind: fieldpath.All})
		case *types.Map:
			t = u.Elem()
			steps = append(steps, fieldpath.Step{Kind: fieldpath.All})
		default:
			return types.Unalias(t), steps
		}
	}
	return t, steps
}
