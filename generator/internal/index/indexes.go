// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/gotypes"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Builder builds the indexes of one root type.
type Builder struct {
	Resolver  *resolver
	Collected *collect.Collected
	Out       *model.Type
	Pos       map[*model.Index]token.Pos // the marker of each index

	Notes map[*model.Index]string // the note that Explain adds to an index
	Used  map[token.Pos]bool      // markers that made an index
}

// Build returns the indexes of a root type in source order. Markers on the type come first,
// then markers on the fields below it.
func (b *Builder) Build(root *served.Root, fields []*Reached) {
	for _, m := range root.Marks {
		if why := root.SlimLacks(strings.TrimPrefix(m.Name, "index:")); why != "" {
			b.Resolver.p.Report.At(m.Pos, "%s", why)
			continue
		}
		switch m.Name {
		case "index":
			b.typeMarker(m)
		case "index:owner":
			b.owners(m)
		case "index:ref":
			b.reference(m)
		case "index:labels":
			b.labels(m)
		}
	}
	for _, f := range fields {
		b.fieldMarker(root, f)
	}
	for _, f := range b.Collected.Funcs {
		b.function(root, f)
	}
	b.selectables(root)
}

func (b *Builder) add(ix *model.Index, pos token.Pos) {
	for _, other := range b.Out.Indexes {
		if other.Name == ix.Name {
			b.Resolver.p.Report.At(pos, "%s has two indexes %s, the other at %s; give one another name=",
				b.Out.Kind, ix.Name, b.Resolver.p.Report.Where(b.Pos[other]))
			return
		}
	}
	if i := slices.IndexFunc(b.Out.Indexes, func(other *model.Index) bool { return sameValues(ix, other) }); i >= 0 {
		other := b.Out.Indexes[i]
		b.Resolver.p.Report.At(pos,
			"%s and %s, the other at %s, are two indexes of the same values; "+
				"keep one of them, with the options of both",
			ix.Name, other.Name, b.Resolver.p.Report.Where(b.Pos[other]))
		return
	}
	b.Pos[ix] = pos
	b.Out.Indexes = append(b.Out.Indexes, ix)
}

// sameValues reports whether two path indexes have equal values for every object.
func sameValues(a, b *model.Index) bool {
	path := func(p *model.Part) string {
		if p == nil {
			return ""
		}
		return p.Path
	}
	ofPaths := a.Kind == model.Paths || a.Kind == model.Refs
	return ofPaths && a.Kind == b.Kind && path(a.Namespace) == path(b.Namespace) &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q *model.Part) bool { return p.Path == q.Path })
}

// typeMarker adds the index of +index:name=N,path=P or paths={P,Q}.
func (b *Builder) typeMarker(m *collect.Marker) {
	ix := &model.Index{Name: m.Options.Text("name")}
	seen := map[string]bool{}
	ok := true
	r := b.Resolver.suggesting(func(_ string, part *model.Part) bool {
		return !m.Options.Flag("ordered") || b.Resolver.unordered[part] == ""
	})
	for _, path := range m.Options.Paths() {
		if m.Reported(path) {
			ok = false
			continue
		}
		part, bad := r.part(path.Text)
		switch {
		case bad != nil:
			ok = false
			b.report(m, path, bad)
		case seen[part.Prefix(len(part.Steps)-1)]:
			ok = false
			b.report(m, path, &pathError{message: fmt.Sprintf("path %s is there twice", path.Text)})
		default:
			seen[part.Prefix(len(part.Steps)-1)] = true
			ix.Parts = append(ix.Parts, part)
			ix.Value = part.Type
		}
	}
	if ok && len(m.Refused) == 0 {
		b.options(ix, m)
		b.add(ix, m.Pos)
	}
}

// report reports a path error at its position in the marker, or at the field that caused it.
func (b *Builder) report(m *collect.Marker, path marker.Word, bad *pathError) {
	pos := bad.pos
	if !pos.IsValid() {
		pos = m.At(path.Offset + bad.offset)
	}
	b.Resolver.p.Report.At(pos, "%s", bad.message)
}

// fieldMarker adds the index of +index on a field.
func (b *Builder) fieldMarker(root *served.Root, f *Reached) {
	b.Used[f.marker.Pos] = true
	kind := root.Obj.Name()
	name := gotypes.Exported(fieldGoName(f.marker))
	switch {
	case f.recursive:
		b.Resolver.p.Report.At(f.marker.Pos, "%s", b.endless(f.marker, kind, name))
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
		b.Resolver.p.Report.At(f.marker.Pos, "%s reaches the field on %s paths; name each on %s instead: %s",
			kind, number, kind, strings.Join(lines, " and "))
		return
	case bad != nil:
		pos := bad.pos
		if !pos.IsValid() {
			pos = f.marker.Pos
		}
		b.Resolver.p.Report.At(pos, "%s", bad.message)
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

// endless returns the remedy for a marker on a field of a type that contains itself. Such a
// field is reached by unboundedly many paths.
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

// looksLikeAmount matches names of types whose order differs from that of their text.
var looksLikeAmount = regexp.MustCompile("Duration|Quantity")

// options sets unique and ordered from the marker, and reports values without an order.
func (b *Builder) options(ix *model.Index, m *collect.Marker) {
	ix.Unique, ix.Ordered = m.Options.Flag("unique"), m.Options.Flag("ordered")
	if !ix.Ordered {
		return
	}
	for i, part := range ix.Parts {
		if name := part.Type.Ident.Name; b.Resolver.texts[part] && looksLikeAmount.MatchString(name) {
			b.Notes[ix] = name + " is a string, and strings are ordered as text: 10 comes before 9"
		}
		if why := b.Resolver.unordered[part]; why != "" {
			pos := m.At(m.Options.Offset("ordered"))
			if paths := m.Options.Paths(); i < len(paths) {
				pos = m.At(paths[i].Offset)
			}
			what := "path " + part.Path
			if ix.Kind == model.Funcs {
				what = "the function " + part.Path
			}
			b.Resolver.p.Report.At(pos, "%s: %s; leave out ordered=true, or index something that has one", what, why)
		}
	}
}

// labels adds the index of +index:labels.
func (b *Builder) labels(m *collect.Marker) {
	text := model.GoType{Ident: model.Ident{Name: "string"}}
	b.add(&model.Index{
		Name: "Label", Kind: model.Labels,
		Parts: []*model.Part{{Path: ".metadata.labels", Type: text}, {Path: ".metadata.labels", Type: text}},
	}, m.Pos)
}

// owners adds the two indexes of +index:owner.
func (b *Builder) owners(m *collect.Marker) {
	uid := model.GoType{Ident: model.Ident{Path: model.Types, Name: "UID"}}
	for _, o := range []struct {
		name, path string
		kind       model.Kind
	}{
		{"Owner", ".metadata.ownerReferences[*].uid", model.Owners},
		{"Controller", ".metadata.ownerReferences[?(@.controller==true)].uid", model.Controllers},
	} {
		b.add(&model.Index{
			Name: o.name, Kind: o.kind, Value: uid,
			Parts: []*model.Part{{Path: o.path, Type: uid}},
		}, m.Pos)
	}
}
