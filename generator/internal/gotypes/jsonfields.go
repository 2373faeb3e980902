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
	Name               string       // the name in encoding/json
	Shown              string       // the user-facing name: protobuf's JSON name, if any
	Chain              []*types.Var // the embedded structs that lead to the field, and the field
	Absent             bool         // it can be absent: it is a pointer, or has omitempty or omitzero
	Tagged             bool         // the name comes from a json tag
	indexChain         []int        // the index of each chain element in its struct
	secondChainToField []*types.Var // another chain of equal length to the same field, or nil
}

func (f JSONField) Leaf() *types.Var { return f.Chain[len(f.Chain)-1] }

// String returns the selector of the field, such as Inner.Name for an inlined field.
func (f JSONField) String() string { return selectorExpr(f.Chain) }

func selectorExpr(chain []*types.Var) string {
	var names []string
	for _, v := range chain {
		names = append(names, v.Name())
	}
	return strings.Join(names, ".")
}

// JSONFields returns the fields that encoding/json uses, in source order. Fields of inlined
// structs stand in the place of the struct.
func JSONFields(st *types.Struct) []JSONField {
	all := jsonFieldsWithHidden(st)
	byName := map[string][]JSONField{}
	for _, f := range all {
		byName[f.Name] = append(byName[f.Name], f)
	}
	return slices.DeleteFunc(all, func(f JSONField) bool { return !f.isEncodedAmong(byName[f.Name]) })
}

// inlinedStruct is a struct whose fields JSON treats as fields of the enclosing struct.
type inlinedStruct struct {
	structType     *types.Struct
	chain          []*types.Var
	indexChain     []int
	ambiguousChain []*types.Var // a second chain to it at the same depth, or nil
}

// jsonFieldsWithHidden returns all fields with a JSON name in source order, including fields hidden by
// others. Like encoding/json it visits structs by depth, and each type once at its least
// depth, so it takes time linear in the fields. Also like encoding/json, a type met twice at
// one depth makes its own fields ambiguous, but not those of structs that it inlines.
func jsonFieldsWithHidden(st *types.Struct) []JSONField {
	var all []JSONField
	visited := &typeutil.Map{}
	for level := []*inlinedStruct{{structType: st}}; len(level) > 0; {
		var next []*inlinedStruct
		at := &typeutil.Map{} // elements of next by type
		for _, in := range level {
			for i := range in.structType.NumFields() {
				f, tags := in.structType.Field(i), reflect.StructTag(in.structType.Tag(i))
				tag := tags.Get("json")
				name, options, _ := strings.Cut(tag, ",")
				if tag == "-" {
					continue
				}
				chain, index := append(slices.Clip(in.chain), f), append(slices.Clip(in.indexChain), i)
				if inner, ok := StructOf(f.Type()); ok && f.Embedded() && name == "" {
					t := types.Unalias(Deref(f.Type()))
					if again, ok := at.At(t).(*inlinedStruct); ok {
						again.ambiguousChain = chain
					} else if inner != st && visited.At(t) == nil && !Endless(t) {
						met := &inlinedStruct{structType: inner, chain: chain, indexChain: index}
						next = append(next, met)
						at.Set(t, met)
					}
					continue
				}
				if !f.Exported() {
					continue
				}
				field := JSONField{Name: name, Chain: chain, Tagged: name != "", indexChain: index}
				if !field.Tagged {
					field.Name = f.Name()
				}
				_, field.Absent = f.Type().Underlying().(*types.Pointer)
				field.Absent = field.Absent || strings.Contains(options, "omit")
				field.Shown = cmp.Or(protobufJSONName(tags.Get("protobuf")), field.Name)
				if in.ambiguousChain != nil {
					field.secondChainToField = append(slices.Clip(in.ambiguousChain), f)
				}
				all = append(all, field)
			}
		}
		at.Iterate(func(t types.Type, _ any) { visited.Set(t, true) })
		level = next
	}
	slices.SortFunc(all, func(a, b JSONField) int { return slices.Compare(a.indexChain, b.indexChain) })
	return all
}

// protobufJSONName returns the JSON name in a protobuf tag, or "". Manifests use that name, while the
// json tag of generated code holds the name in the .proto file.
func protobufJSONName(tag string) string {
	for option := range strings.SplitSeq(tag, ",") {
		if name, ok := strings.CutPrefix(option, "json="); ok {
			return name
		}
	}
	return ""
}

// Ambiguous returns an error if several fields share a JSON name and none dominates, so that
// JSON ignores all of them. It returns "" otherwise.
func Ambiguous(st *types.Struct, name string) string {
	var same []string
	for _, f := range jsonFieldsWithHidden(st) {
		if f.Name == name {
			same = append(same, f.String())
			if f.secondChainToField != nil {
				same = append(same, selectorExpr(f.secondChainToField))
			}
		}
	}
	if len(same) < 2 {
		return ""
	}
	return fmt.Sprintf(
		"%s have the JSON name %s, so encoding/json ignores them; change the JSON name of one",
		strings.Join(same, " and "), name)
}

// isEncodedAmong reports whether JSON uses this field among all fields of its name. It must be the
// shallowest, or the only tagged one among the shallowest. If two are equal, JSON uses none.
func (f JSONField) isEncodedAmong(all []JSONField) bool {
	if f.secondChainToField != nil {
		return false
	}
	for _, other := range all {
		if slices.Equal(other.Chain, f.Chain) {
			continue
		}
		deeper, same := len(other.Chain) > len(f.Chain), len(other.Chain) == len(f.Chain)
		if !deeper && (!same || !f.Tagged || other.Tagged) {
			return false
		}
	}
	return true
}

// StructOf returns the struct type of t, or of the type that t points to.
func StructOf(t types.Type) (*types.Struct, bool) {
	st, ok := Deref(t).Underlying().(*types.Struct)
	return st, ok
}

// Deref returns the type that t points to, or t if it is no pointer.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
