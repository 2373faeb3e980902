// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"

	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

// Invalid reports whether a type, its pointer target or its list element is unresolved.
func Invalid(t types.Type) bool {
	elem, _ := Element(t)
	b, ok := elem.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Invalid
}

// IsText reports whether the values of a type are strings.
func IsText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// IsBytes reports whether a type is a list of bytes.
func IsBytes(t types.Type) bool {
	list, ok := t.Underlying().(*types.Slice)
	if !ok {
		return false
	}
	b, ok := list.Elem().Underlying().(*types.Basic)
	return ok && b.Kind() == types.Byte
}

// Element returns the struct or scalar behind pointers, lists and maps, and the path steps
// through the lists and maps.
func Element(t types.Type) (types.Type, fieldpath.Path) {
	var steps fieldpath.Path
	for range 10 { // a bound for recursive types
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

// Endless reports whether the arguments of a generic type are larger than any real ones. Go rejects generic
// types that lead to ever larger instances of themselves, but the type checker may not have found them.
func Endless(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.TypeArgs().Len() > 0 && len(named.String()) > 1000
}
