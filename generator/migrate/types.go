// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"slices"
)

// rootType returns the type that t points to, if objects have it: a struct with metadata.
func rootType(t types.Type) *types.Named {
	p, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return nil
	}
	named, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok {
		return nil
	}
	s, ok := named.Underlying().(*types.Struct)
	if !ok || !slices.ContainsFunc(slices.Collect(s.Fields()), func(v *types.Var) bool { return v.Name() == "ObjectMeta" }) {
		return nil
	}
	return named
}
