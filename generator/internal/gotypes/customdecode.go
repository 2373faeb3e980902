// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
)

// Decoder returns the embedded fields from which a struct has its method UnmarshalJSON; nil
// if it has none, or one of its own.
func Decoder(t types.Type) (way []*types.Var) {
	method := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "UnmarshalJSON")
	if method == nil || len(method.Index()) < 2 || method.Obj().(*types.Func).Signature().Params().Len() != 1 {
		return nil
	}
	for _, i := range method.Index()[:len(method.Index())-1] {
		st, ok := StructOf(t)
		if !ok {
			return nil // an interface that is embedded in one
		}
		way = append(way, st.Field(i))
		t = st.Field(i).Type()
	}
	return way
}
