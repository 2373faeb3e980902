// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/ast"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// fieldMarker adds the index of +index on a field.
func (b *Builder) fieldMarker(root *served.Root, f *Reached) {
	b.Used[f.marker.Pos] = true
	kind := root.Obj.Name()
	name := gotypes.Exported(fieldGoName(f.marker))
	if f.recursive {
		b.errorf(f.marker.Pos, "%s", b.endless(f.marker, kind, name))
		return
	}
	part, bad := b.Resolver.part(f.paths[0].String())
	switch {
	case bad == nil && len(f.paths) > 1:
		var lines []string
		number := fmt.Sprint(len(f.paths))
		for i, p := range f.paths {
			if i == manyPaths-1 {
				lines, number = append(lines, "so on"), "many"
				break
			}
			lines = append(lines, fmt.Sprintf("+index:name=%s,path=%s", gotypes.Exported(p.String()), p))
		}
		b.errorf(f.marker.Pos, "%s reaches the field on %s paths; name each on %s instead: %s",
			kind, number, kind, strings.Join(lines, " and "))
		return
	case bad != nil:
		b.report(f.marker.Pos, bad)
		return
	}
	if len(f.marker.Refused) > 0 {
		return
	}
	ix := &model.Index{Name: name, Parts: []*model.Part{part}, Value: part.Type}
	if name := f.marker.Options.Text("name"); name != "" {
		ix.Name = name
	}
	b.options(ix, &f.marker.Marker)
	b.add(ix, f.marker.Pos)
}

// endless returns the error for a marker in a type that contains itself, with the remedy. No
// number of paths would cover such a field.
func (b *Builder) endless(m *collect.FieldMarker, kind, name string) string {
	t := m.Pkg.TypesInfo.TypeOf(m.Field.Type)
	if !gotypes.IsBytes(gotypes.Deref(t)) {
		t, _ = gotypes.Element(t)
	}
	if why := setKey(new(model.Part), t); why != "" && !gotypes.Invalid(t) {
		return fmt.Sprintf("%s cannot be a key: %s", b.Resolver.show(t), why)
	}
	if given := m.Options.Text("name"); given != "" {
		name = given
	}
	flags := ""
	for _, o := range m.Options {
		if m.Options.Flag(o.Name) {
			flags += "," + o.Name + "=true"
		}
	}
	return fmt.Sprintf("the field is in a type that contains itself, so %s reaches it at any depth; "+
		"write +index:name=%s,path=…%s on %s for the intended depth", kind, name, flags, kind)
}

func fieldGoName(m *collect.FieldMarker) string {
	if len(m.Field.Names) > 0 {
		return m.Field.Names[0].Name
	}
	if id, ok := collect.FieldName(m.Field).(*ast.Ident); ok {
		return id.Name
	}
	return "Name"
}
