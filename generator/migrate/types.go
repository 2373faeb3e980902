// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"slices"

	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
)

// asserted returns v as a type, or nil if it has another one.
func (f *frame) asserted(v value, t types.Type) value {
	p, ok := v.(*place)
	if !ok {
		if isNone(v) {
			return nil
		}
		f.fail("a type assertion of %s", describe(v))
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		if p.typ != nil && !implements(p.typ, i) && len(p.steps) == 0 {
			return nil
		}
		return v
	}
	if len(p.steps) > 0 {
		f.fail("a type assertion of a field")
	}
	if f.root.typ == nil && rootType(t) != nil {
		f.root = &place{typ: t, never: true}
	}
	if f.root.typ != nil && types.TypeString(f.root.typ, nil) == types.TypeString(t, nil) {
		return f.root
	}
	f.other = t
	return nil
}

// implements is types.Implements for types of packages that were loaded apart, where the same type is another one.
func implements(t types.Type, i *types.Interface) bool {
	signature := func(of *types.Func) (out string) {
		for _, tuple := range []*types.Tuple{of.Signature().Params(), of.Signature().Results()} {
			for v := range tuple.Variables() {
				out += types.TypeString(v.Type(), nil) + " "
			}
			out += "; "
		}
		return out
	}
	for want := range i.Methods() {
		has, _, _ := types.LookupFieldOrMethod(t, false, want.Pkg(), want.Name())
		if method, ok := has.(*types.Func); !ok || signature(method) != signature(want) {
			return false
		}
	}
	return true
}

// fieldOf returns a field of a struct in the object.
func (f *frame) fieldOf(p *place, i int) *place {
	if p.typ == nil {
		f.fail("a field of an object whose type is not asserted")
	}
	s, _ := gotypes.StructOf(p.typ)
	field := s.Field(i)
	for _, json := range gotypes.JSONFields(s) {
		switch {
		case json.Chain[0] != field:
		case len(json.Chain) > 1: // it is inlined
			return p.to(field.Type())
		default:
			f.fields[json.Name] = true
			return p.to(field.Type(), step{name: json.Name})
		}
	}
	f.fail("the field %s, which is not in JSON", field.Name())
	return nil
}

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

// jsonField returns the field of a struct with a JSON name, if there is one.
func jsonField(t types.Type, name string) (f gotypes.JSONField, ok bool) {
	if s, isStruct := gotypes.StructOf(t); isStruct {
		for _, f := range gotypes.JSONFields(s) {
			if f.Name == name {
				return f, true
			}
		}
	}
	return f, false
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
