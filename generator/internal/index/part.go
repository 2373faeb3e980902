// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// partOf sets the type that a root type is part of. It checks the fields if that type's package is
// loaded; the source checks them otherwise.
func (b *Builder) partOf(root *served.Root, m *collect.Marker) {
	of := m.Options.Word("of")
	switch {
	case b.Out.Whole != nil:
		b.errorf(m.Pos, "%s has two markers +index:part; keep one of them", b.Out.Kind)
		return
	case b.Out.MetadataOnly:
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
	names := []string{"kind", "apiVersion"}
	for _, f := range gotypes.JSONFields(all) {
		names = append(names, f.Name)
	}
	for _, f := range gotypes.JSONFields(own) {
		if !slices.Contains(names, f.Name) {
			b.errorf(f.Leaf().Pos(), "%s has %s, and %s has not%s", b.Out.Kind, f.Name, of.Text,
				diag.DidYouMean(f.Name, names))
		}
	}
}
