// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/token"
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

// String names the field as its struct does: Inner.Name, if it is inlined.
func (f jsonField) String() string {
	var names []string
	for _, v := range f.chain {
		names = append(names, v.Name())
	}
	return strings.Join(names, ".")
}

// jsonFields lists the fields of a struct under their JSON names, in the order of
// the source, with those of inlined structs in their place. Of two fields with
// one name that counts which does in encoding/json.
func jsonFields(st *types.Struct) []jsonField {
	all := encodable(st)
	byName := map[string][]jsonField{}
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	return slices.DeleteFunc(all, func(f jsonField) bool { return !f.dominates(byName[f.name]) })
}

// encodable lists all fields that have a JSON name, also those that others keep from
// being encoded.
func encodable(st *types.Struct) []jsonField {
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
	return all
}

// ambiguous says which fields of a struct JSON takes none of, because several have one
// name and none of them comes before the others; "" if no field has the name.
func ambiguous(st *types.Struct, name string) string {
	var same []string
	for _, f := range encodable(st) {
		if f.name == name {
			same = append(same, f.String())
		}
	}
	if len(same) < 2 {
		return ""
	}
	return fmt.Sprintf("%s have the name %s in JSON, which takes none of them; give one another name", strings.Join(same, " and "), name)
}

// overruled says why JSON does not take a field that a struct has at this place in the
// source, because of others of its name; "" if it does, or the struct has it not.
func overruled(st *types.Struct, at token.Pos) string {
	counted := jsonFields(st)
	for _, f := range encodable(st) {
		if f.leaf().Pos() != at || slices.ContainsFunc(counted, func(c jsonField) bool { return slices.Equal(c.chain, f.chain) }) {
			continue
		}
		for _, c := range counted {
			if c.name == f.name {
				return fmt.Sprintf("%s has the name %s in JSON too, which takes that instead of %s; index that, or give one another name", c, f.name, f)
			}
		}
		return ambiguous(st, f.name)
	}
	return ""
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
