// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package gotypes

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// JSONField is a field of a struct as JSON sees it.
type JSONField struct {
	Name   string       // by which encoding/json knows it
	Shown  string       // by which users know it: protobuf's JSON name, if it has one
	Chain  []*types.Var // embedded structs on the way to the field, and the field
	tagged bool         // the name is from a tag
	index  []int        // where each of the chain stands in its struct
	twin   []*types.Var // another chain of the same length to the same field, or nil
}

func (f JSONField) Leaf() *types.Var { return f.Chain[len(f.Chain)-1] }

// String names the field as its struct does: Inner.Name, if it is inlined.
func (f JSONField) String() string { return selector(f.Chain) }

func selector(chain []*types.Var) string {
	var names []string
	for _, v := range chain {
		names = append(names, v.Name())
	}
	return strings.Join(names, ".")
}

// JSONFields lists the fields of a struct under their JSON names, in the order of
// the source, with those of inlined structs in their place. Of two fields with
// one name that counts which does in encoding/json.
func JSONFields(st *types.Struct) []JSONField {
	all := encodable(st)
	byName := map[string][]JSONField{}
	for _, f := range all {
		byName[f.Name] = append(byName[f.Name], f)
	}
	return slices.DeleteFunc(all, func(f JSONField) bool { return !f.dominates(byName[f.Name]) })
}

// inlined is a struct whose fields JSON takes for those of a struct around it.
type inlined struct {
	st    *types.Struct
	chain []*types.Var
	index []int
	twin  []*types.Var // the chain by which it is met again at the same depth, or nil
}

// encodable lists all fields that have a JSON name, also those that others keep from
// being encoded, in the order of the source. As in encoding/json, structs are visited by
// their depth and each type once, where it is met first, for what is deeper cannot count:
// so it takes time linear in the fields, however many ways lead to them. Also as there,
// only the fields of a type itself are ambiguous if it is met twice at one depth, and
// those of what it inlines are not.
func encodable(st *types.Struct) []JSONField {
	var all []JSONField
	visited := &typeutil.Map{}
	for level := []*inlined{{st: st}}; len(level) > 0; {
		var next []*inlined
		at := &typeutil.Map{} // those of next by their types
		for _, in := range level {
			for i := range in.st.NumFields() {
				f, tags := in.st.Field(i), reflect.StructTag(in.st.Tag(i))
				tag := tags.Get("json")
				name, _, _ := strings.Cut(tag, ",")
				if tag == "-" {
					continue
				}
				chain, index := append(slices.Clip(in.chain), f), append(slices.Clip(in.index), i)
				if inner, ok := StructOf(f.Type()); ok && f.Embedded() && name == "" {
					t := types.Unalias(Deref(f.Type()))
					if again, ok := at.At(t).(*inlined); ok {
						again.twin = chain
					} else if inner != st && visited.At(t) == nil && Nested(t, false) <= MaxNested {
						met := &inlined{st: inner, chain: chain, index: index}
						next = append(next, met)
						at.Set(t, met)
					}
					continue
				}
				if !f.Exported() {
					continue
				}
				field := JSONField{Name: name, Chain: chain, tagged: name != "", index: index}
				if !field.tagged {
					field.Name = f.Name()
				}
				field.Shown = cmp.Or(protoName(tags.Get("protobuf")), field.Name)
				if in.twin != nil {
					field.twin = append(slices.Clip(in.twin), f)
				}
				all = append(all, field)
			}
		}
		at.Iterate(func(t types.Type, _ any) { visited.Set(t, true) })
		level = next
	}
	slices.SortFunc(all, func(a, b JSONField) int { return slices.Compare(a.index, b.index) })
	return all
}

// protoName returns the name that a protobuf tag gives a field in JSON; "" if it gives none.
// YAML has that name, while the json tag of generated code has the field's name in the
// .proto file.
func protoName(tag string) string {
	for option := range strings.SplitSeq(tag, ",") {
		if name, ok := strings.CutPrefix(option, "json="); ok {
			return name
		}
	}
	return ""
}

// Ambiguous says which fields of a struct JSON takes none of, because several have one
// name and none of them comes before the others; "" if no field has the name.
func Ambiguous(st *types.Struct, name string) string {
	var same []string
	for _, f := range encodable(st) {
		if f.Name == name {
			same = append(same, f.String())
			if f.twin != nil {
				same = append(same, selector(f.twin))
			}
		}
	}
	if len(same) < 2 {
		return ""
	}
	return fmt.Sprintf("%s have the name %s in JSON, which takes none of them; give one another name", strings.Join(same, " and "), name)
}

// dominates reports whether JSON takes this field of all that have its name: it is
// less deep than any other or, of the least deep, the only one with a tag. If two
// are equal, JSON takes none.
func (f JSONField) dominates(all []JSONField) bool {
	if f.twin != nil {
		return false
	}
	for _, other := range all {
		if slices.Equal(other.Chain, f.Chain) {
			continue
		}
		deeper, same := len(other.Chain) > len(f.Chain), len(other.Chain) == len(f.Chain)
		if !deeper && (!same || !f.tagged || other.tagged) {
			return false
		}
	}
	return true
}

// StructOf returns the struct that a type is, or points to.
func StructOf(t types.Type) (*types.Struct, bool) {
	st, ok := Deref(t).Underlying().(*types.Struct)
	return st, ok
}

// Deref follows one pointer.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
