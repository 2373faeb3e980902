// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/types"
	"slices"
)

// passedOver says why nothing would be decoded into a field of a type: the type has, by
// embedding, a method that reads another part of it from all of the JSON; "" if not. A
// method of its own may do anything.
func (r *resolver) passedOver(t types.Type, f jsonField) string {
	way := decoder(t)
	if way == nil || len(way) <= len(f.chain) && slices.Equal(way, f.chain[:len(way)]) {
		return ""
	}
	by := deref(way[len(way)-1].Type())
	return fmt.Sprintf("nothing would be decoded into it: %s has the method UnmarshalJSON of the %s that it embeds, which reads that alone; give it a method of its own, or that field a name in Go",
		r.show(t), r.show(by))
}

// decoder returns the embedded fields from which a struct has its method UnmarshalJSON; nil
// if it has none, or one of its own.
func decoder(t types.Type) (way []*types.Var) {
	method := types.NewMethodSet(types.NewPointer(t)).Lookup(nil, "UnmarshalJSON")
	if method == nil || len(method.Index()) < 2 || method.Obj().(*types.Func).Signature().Params().Len() != 1 {
		return nil
	}
	for _, i := range method.Index()[:len(method.Index())-1] {
		st, ok := structOf(t)
		if !ok {
			return nil // an interface that is embedded in one
		}
		way = append(way, st.Field(i))
		t = st.Field(i).Type()
	}
	return way
}
