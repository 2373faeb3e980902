// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/load"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// partOf sets the type that a root type is part of, and checks the fields.
func (b *Builder) partOf(root *served.Root, m *collect.Marker) {
	of := m.Options.Word("of")
	switch {
	case b.Out.Whole != nil:
		b.errorf(m.Pos, "%s has two markers +index:part; keep one of them", b.Out.Kind)
		return
	case root.Obj.IsAlias():
		b.errorf(m.Pos, "%s is an alias, whose type has field numbers of its own; remove the marker", b.Out.Kind)
		return
	case b.Out.Converted:
		b.errorf(m.Pos, "no decoder fills %s, so that source.Map must make its objects; remove the marker",
			b.Out.Kind)
		return
	case root.MetadataOnly():
		b.errorf(m.Pos, "%s has nothing but metadata, which is read in protobuf anyway; remove the marker",
			b.Out.Kind)
		return
	case len(m.Refused) > 0:
		return
	}
	dot := strings.LastIndexByte(of.Text, '.')
	whole := model.Ident{Path: of.Text[:dot], Name: of.Text[dot+1:]}
	b.Out.Whole = &whole
	pkg := b.Resolver.p.Checked[whole.Path]
	if pkg == nil {
		pkg = b.Resolver.p.Parts[whole.Path]
	}
	switch {
	case pkg == nil: // the package of the marker was excluded
		return
	case pkg.Types == nil || len(pkg.GoFiles) == 0:
		why := "it has no Go files"
		if len(pkg.Errors) > 0 {
			why = load.OneLine(pkg.Errors[0].Msg)
		}
		b.errorf(m.At(of.Offset), "package %s cannot be loaded: %s", whole.Path, why)
		return
	}
	obj := pkg.Types.Scope().Lookup(whole.Name)
	if obj == nil {
		b.errorf(m.At(of.Offset), "package %s has no type %s%s", whole.Path, whole.Name,
			diag.DidYouMean(whole.Name, pkg.Types.Scope().Names()))
		return
	}
	all, ok := gotypes.StructOf(obj.Type())
	own, _ := gotypes.StructOf(root.Named)
	if !ok {
		b.errorf(m.At(of.Offset), "%s is not a struct", of.Text)
		return
	}
	if !tagged(all) {
		b.errorf(m.At(of.Offset), "%s has no protobuf tags: API servers send its objects as JSON; "+
			"remove the marker", of.Text)
		return
	}
	b.lacking(own, all, of.Text, map[[2]*types.Struct]bool{})
}

// tagged reports whether a struct has field numbers.
func tagged(st *types.Struct) bool {
	for i := range st.NumFields() {
		if reflect.StructTag(st.Tag(i)).Get("protobuf") != "" {
			return true
		}
	}
	return false
}

// lacking reports the fields of part that whole, which is shown as of, does not have at any depth.
func (b *Builder) lacking(part, whole *types.Struct, of string, seen map[[2]*types.Struct]bool) {
	if seen[[2]*types.Struct{part, whole}] {
		return
	}
	seen[[2]*types.Struct{part, whole}] = true
	names := []string{"kind", "apiVersion"}
	below := map[string]types.Type{}
	for _, f := range gotypes.JSONFields(whole) {
		names = append(names, f.Name)
		below[f.Name] = f.Leaf().Type()
	}
	for _, f := range gotypes.JSONFields(part) {
		if !slices.Contains(names, f.Name) {
			b.errorf(f.Leaf().Pos(), "%s has %s, and %s has not%s", b.Out.Kind, f.Name, of,
				diag.DidYouMean(f.Name, names))
			continue
		}
		if below[f.Name] == nil || f.Name == "metadata" { // which every API object has alike
			continue
		}
		inner, ok := gotypes.StructOf(element(f.Leaf().Type()))
		outer, both := gotypes.StructOf(element(below[f.Name]))
		if ok && both && inner != outer {
			b.lacking(inner, outer, of+"."+f.Name, seen)
		}
	}
}

// element returns the type of what a value holds, through pointers, slices and maps.
func element(t types.Type) types.Type {
	for {
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			t = u.Elem()
		case *types.Slice:
			t = u.Elem()
		case *types.Map:
			t = u.Elem()
		default:
			return t
		}
	}
}
