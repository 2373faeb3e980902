// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package migrate

import (
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strings"
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
	if types.IsInterface(t) {
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
	return nil
}

// fieldOf returns a field of a struct in the object.
func (f *frame) fieldOf(p *place, i int) *place {
	if p.typ == nil {
		f.fail("a field of an object whose type is not asserted")
	}
	s := deref(p.typ).Underlying().(*types.Struct)
	json, inline := jsonField(s, i)
	switch {
	case inline:
		return p.to(s.Field(i).Type())
	case json == "":
		f.fail("the field %s, which is not in JSON", s.Field(i).Name())
	}
	f.fields[json] = true
	return p.to(s.Field(i).Type(), step{name: json})
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

// A jsonKey is a field of a struct by its JSON name.
type jsonKey struct {
	pointer  bool
	optional bool // a value can be absent
}

// jsonFields returns the fields of a struct by their JSON names.
func jsonFields(t types.Type) map[string]jsonKey {
	out := map[string]jsonKey{}
	if s, ok := deref(t).Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			name, inline := jsonField(s, i)
			if inline {
				maps.Copy(out, jsonFields(s.Field(i).Type()))
				continue
			}
			pointer := isPointer(s.Field(i).Type())
			out[name] = jsonKey{pointer, pointer || strings.Contains(reflect.StructTag(s.Tag(i)).Get("json"), ",omitempty")}
		}
	}
	return out
}

// deref returns the element type of a pointer, or the type itself.
func deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func isPointer(t types.Type) bool { _, ok := t.Underlying().(*types.Pointer); return ok }

func isString(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func isSlice(t types.Type) bool { _, ok := t.Underlying().(*types.Slice); return ok }

// jsonField returns the JSON name of a struct field, and whether its fields are inlined.
func jsonField(s *types.Struct, i int) (name string, inline bool) {
	tag := reflect.StructTag(s.Tag(i)).Get("json")
	name, options, _ := strings.Cut(tag, ",")
	switch f := s.Field(i); {
	case name == "-":
		return "", false
	case name == "" && (f.Anonymous() || strings.Contains(options, "inline")):
		return "", true
	case name == "":
		return f.Name(), false
	}
	return name, false
}
