// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// jsonField is a field of a struct as JSON sees it.
type jsonField struct {
	name   string
	chain  []*types.Var // embedded structs on the way to the field, and the field
	tagged bool         // the name is from a tag
}

func (f jsonField) leaf() *types.Var { return f.chain[len(f.chain)-1] }

// jsonFields lists the fields of a struct under their JSON names, in the order of
// the source, with those of inlined structs in their place. Of two fields with
// one name that counts which does in encoding/json.
func jsonFields(st *types.Struct) []jsonField {
	var all []jsonField
	var visit func(st *types.Struct, chain []*types.Var)
	visit = func(st *types.Struct, chain []*types.Var) {
		for i := range st.NumFields() {
			f := st.Field(i)
			tag := reflect.StructTag(st.Tag(i)).Get("json")
			name, _, _ := strings.Cut(tag, ",")
			if tag == "-" {
				continue
			}
			here := append(chain[:len(chain):len(chain)], f)
			if f.Embedded() && name == "" {
				if inner, ok := structOf(f.Type()); ok {
					if !seen(chain, f) {
						visit(inner, here)
					}
					continue
				}
			}
			if !f.Exported() {
				continue
			}
			tagged := name != ""
			if !tagged {
				name = f.Name()
			}
			all = append(all, jsonField{name, here, tagged})
		}
	}
	visit(st, nil)
	byName := map[string][]jsonField{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	return slices.DeleteFunc(all, func(f jsonField) bool { return !f.dominates(byName[f.name]) })
}

// dominates reports whether JSON takes this field of all that have its name: it is
// less deep than any other or, of the least deep, the only one with a tag. If two
// are equal, JSON takes none.
func (f jsonField) dominates(all []jsonField) bool {
	for _, other := range all {
		if slices.Equal(other.chain, f.chain) {
			continue
		}
		deeper, same := len(other.chain) > len(f.chain), len(other.chain) == len(f.chain)
		if !deeper && (!same || !f.tagged || other.tagged) {
			return false
		}
	}
	return true
}

// seen stops at structs that embed pointers to themselves.
func seen(chain []*types.Var, f *types.Var) bool {
	for _, c := range chain {
		if types.Identical(deref(c.Type()), deref(f.Type())) {
			return true
		}
	}
	return false
}

// structOf returns the struct that a type is, or points to.
func structOf(t types.Type) (*types.Struct, bool) {
	st, ok := deref(t).Underlying().(*types.Struct)
	return st, ok
}

// deref follows one pointer.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
