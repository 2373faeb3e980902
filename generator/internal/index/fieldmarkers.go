// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"fmt"
	"go/ast"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// addFieldMarker adds the index of +index or +index:ref on a field. A field that is reached on several paths has
// one index of all of them, if the marker names it.
func (b *Builder) addFieldMarker(root *served.Root, f *Reached) {
	m := f.marker
	b.Used[m.Pos] = true
	kind := root.Obj.Name()
	name := gotypes.Exported(fieldGoName(m))
	if f.isRecursive {
		b.errorf(m.Pos, "%s", b.recursiveTypeError(m, kind, name))
		return
	}
	r := b.Resolver
	if m.Name == "index:ref" {
		r = b.referenceResolver()
	}
	part, bad := r.resolvePart(f.fieldPaths[0].String())
	switch named := m.Options.Has("name"); {
	case bad == nil && len(f.fieldPaths) > 1 && (!named || len(f.fieldPaths) == maxPathsPerField || m.Options.Has("else")):
		b.errorf(m.Pos, "%s", severalPathsError(f, kind, named || m.Options.Has("else")))
		return
	case bad != nil:
		b.reportPathError(m.Pos, bad)
		return
	}
	for i, path := range f.fieldPaths {
		if i > 0 {
			if part, bad = r.resolvePart(path.String()); bad != nil {
				b.reportPathError(m.Pos, bad)
				return
			}
		}
		ix := &model.Index{Parts: []*model.Part{part}, Value: part.Type}
		if m.Name == "index:ref" {
			ix = b.resolveReference(&m.Marker, part, path.String(), 0)
		}
		if ix == nil || len(m.Refused) > 0 {
			return
		}
		ix.Name = cmp.Or(m.Options.Text("name"), name)
		b.setOptions(ix, &m.Marker)
		b.addIndex(ix, &m.Marker)
	}
}

// severalPathsError returns the error for a marker on a field that is reached on several paths.
func severalPathsError(f *Reached, rootKind string, named bool) string {
	var lines []string
	number := fmt.Sprint(len(f.fieldPaths))
	for i, p := range f.fieldPaths {
		if i == listedPaths-1 {
			lines, number = append(lines, "so on"), "many"
			break
		}
		lines = append(lines, fmt.Sprintf("+%s:name=%s,path=%s", f.marker.Name, gotypes.Exported(p.String()), p))
	}
	remedy := "; or write name= for one index of all paths"
	if named || len(f.fieldPaths) == maxPathsPerField {
		remedy = ""
	}
	return fmt.Sprintf("%s reaches the field on %s paths; name each on %s instead: %s%s",
		rootKind, number, rootKind, strings.Join(lines, " and "), remedy)
}

// recursiveTypeError returns the error for a marker in a type that contains itself, with the remedy. No
// number of paths would cover such a field.
func (b *Builder) recursiveTypeError(m *collect.FieldMarker, rootKind, name string) string {
	t := m.Pkg.TypesInfo.TypeOf(m.Field.Type)
	if !gotypes.IsBytes(gotypes.Deref(t)) {
		t, _ = gotypes.Element(t)
	}
	if why := assignKeyType(new(model.Part), t); why != "" && !gotypes.Invalid(t) && m.Name == "index" {
		return fmt.Sprintf("%s cannot be a key: %s", b.Resolver.typeText(t), why)
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
	if m.Options.Has("to") {
		flags = ",to=" + m.Options.Text("to") + flags
	}
	return fmt.Sprintf("the field is in a type that contains itself, so %s reaches it at any depth; "+
		"write +%s:name=%s,path=…%s on %s for the intended depth", rootKind, m.Name, name, flags, rootKind)
}

func fieldGoName(m *collect.FieldMarker) string {
	if id, ok := collect.FieldName(m.Field).(*ast.Ident); ok {
		return id.Name
	}
	return "Name"
}
