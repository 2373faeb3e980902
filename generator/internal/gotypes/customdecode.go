// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"go/types"
)

// Decoder returns the embedded fields through which a struct gets its UnmarshalJSON method. It
// returns nil if the struct has no such method, or declares its own.
func Decoder(t types.Type) (way []*types.Var) {
	method := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "UnmarshalJSON")
	if method == nil || len(method.Index()) < 2 ||
		method.Obj().(*types.Func).Signature().Params().Len() != 1 {
		return nil
	}
	for _, i := range method.Index()[:len(method.Index())-1] {
		st, ok := StructOf(t)
		if !ok {
			return nil // an interface embedded in another
		}
		way = append(way, st.Field(i))
		t = st.Field(i).Type()
	}
	return way
}
