// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/templates/model"
)

// builder makes the model of one root type.
type builder struct {
	r   *resolver
	c   *collected
	out *model.Type
	pos map[*model.Index]token.Pos // the marker that asked for each index

	notes map[*model.Index]string // what explain says about an index beside its options
	used  map[token.Pos]bool      // markers that give an index
}

// build returns the indexes that the markers on a root type and on the fields
// below it ask for: those of the type first, each in the order of the source.
func (b *builder) build(root *root, fields []*reached) {
	for _, m := range root.marks {
		if why := root.slimLacks(strings.TrimPrefix(m.name, "index:")); why != "" {
			b.r.p.report.at(m.pos, "%s", why)
			continue
		}
		switch m.name {
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
	for _, f := range b.c.funcs {
		b.function(root, f)
	}
	b.selectables(root)
}

func (b *builder) add(ix *model.Index, pos token.Pos) {
	for _, other := range b.out.Indexes {
		if other.Name == ix.Name {
			b.r.p.report.at(pos, "%s has two indexes %s, the other at %s; give one another name=",
				b.out.Kind, ix.Name, b.r.p.report.where(b.pos[other]))
			return
		}
	}
	if i := slices.IndexFunc(b.out.Indexes, func(other *model.Index) bool { return sameValues(ix, other) }); i >= 0 {
		other := b.out.Indexes[i]
		b.r.p.report.at(pos, "%s and %s, the other at %s, are indexes of the same, each kept up to date by itself; keep one of them, which can have the options of both",
			ix.Name, other.Name, b.r.p.report.where(b.pos[other]))
		return
	}
	b.pos[ix] = pos
	b.out.Indexes = append(b.out.Indexes, ix)
}

// sameValues reports whether two indexes of paths have the same values for all objects.
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
func (b *builder) typeMarker(m *marker) {
	ix := &model.Index{Name: m.options.text("name")}
	seen := map[string]bool{}
	ok := true
	r := b.r.suggesting(func(_ string, part *model.Part) bool {
		return !m.options.flag("ordered") || b.r.unordered[part] == ""
	})
	for _, path := range m.options.paths() {
		if m.told(path) {
			ok = false
			continue
		}
		part, bad := r.part(path.text)
		switch {
		case bad != nil:
			ok = false
			b.report(m, path, bad)
		case seen[part.Prefix(len(part.Steps)-1)]:
			ok = false
			b.report(m, path, &pathError{message: fmt.Sprintf("path %s is there twice", path.text)})
		default:
			seen[part.Prefix(len(part.Steps)-1)] = true
			ix.Parts = append(ix.Parts, part)
			ix.Value = part.Type
		}
	}
	if ok && len(m.refused) == 0 {
		b.options(ix, m)
		b.add(ix, m.pos)
	}
}

// report places an error of a path in its marker, or at the field to blame.
func (b *builder) report(m *marker, path word, bad *pathError) {
	pos := bad.pos
	if !pos.IsValid() {
		pos = m.at(path.offset + bad.offset)
	}
	b.r.p.report.at(pos, "%s", bad.message)
}

// fieldMarker adds the index of +index on a field.
func (b *builder) fieldMarker(root *root, f *reached) {
	b.used[f.marker.pos] = true
	kind := root.obj.Name()
	name := exported(fieldGoName(f.marker))
	switch {
	case f.recursive:
		b.r.p.report.at(f.marker.pos, "%s", b.endless(f.marker, kind, name))
		return
	}
	part, bad := b.r.part(f.paths[0].String())
	switch {
	case bad == nil && len(f.paths) > 1:
		var lines []string
		number := fmt.Sprint(len(f.paths))
		for i, p := range f.paths {
			if i == manyPaths-1 {
				lines, number = append(lines, "so on"), "many"
				break
			}
			lines = append(lines, fmt.Sprintf("+index:name=%s,path=%s", exported(p.String()), p))
		}
		b.r.p.report.at(f.marker.pos, "%s reaches the field on %s paths; name each on %s instead: %s",
			kind, number, kind, strings.Join(lines, " and "))
		return
	case bad != nil:
		pos := bad.pos
		if !pos.IsValid() {
			pos = f.marker.pos
		}
		b.r.p.report.at(pos, "%s", bad.message)
		return
	}
	if len(f.marker.refused) > 0 {
		return
	}
	ix := &model.Index{Name: name, Parts: []*model.Part{part}, Value: part.Type}
	if name := f.marker.options.text("name"); name != "" {
		ix.Name = name
	}
	b.options(ix, &f.marker.marker)
	b.add(ix, f.marker.pos)
}

// endless says what to write instead of a marker on a field of a type that contains
// itself, which is reached at any depth; or that its values cannot be keys at all.
func (b *builder) endless(m *fieldMarker, kind, name string) string {
	t := m.pkg.TypesInfo.TypeOf(m.field.Type)
	if !isBytes(deref(t)) {
		t, _ = element(t)
	}
	if why := setKey(new(model.Part), t); why != "" && !invalid(t) {
		return fmt.Sprintf("%s cannot be a key: %s", b.r.show(t), why)
	}
	if given := m.options.text("name"); given != "" {
		name = given
	}
	flags := ""
	for _, o := range m.options {
		if m.options.flag(o.name) {
			flags += "," + o.name + "=true"
		}
	}
	return fmt.Sprintf("the field is in a type that contains itself, so %s reaches it at any depth; "+
		"write +index:name=%s,path=…%s on %s for the depth that is meant", kind, name, flags, kind)
}

func fieldGoName(m *fieldMarker) string {
	if len(m.field.Names) > 0 {
		return m.field.Names[0].Name
	}
	if id, ok := fieldName(m.field).(*ast.Ident); ok {
		return id.Name
	}
	return "Name"
}

// looksLikeAmount matches names of types whose values have an order of their own.
var looksLikeAmount = regexp.MustCompile("Duration|Quantity")

// options notes what a marker says about the values of its index.
func (b *builder) options(ix *model.Index, m *marker) {
	ix.Unique, ix.Ordered = m.options.flag("unique"), m.options.flag("ordered")
	if !ix.Ordered {
		return
	}
	for i, part := range ix.Parts {
		if name := part.Type.Ident.Name; b.r.texts[part] && looksLikeAmount.MatchString(name) {
			b.notes[ix] = name + " is a string, and strings are ordered as text: 10 comes before 9"
		}
		if why := b.r.unordered[part]; why != "" {
			pos := m.at(m.options.offset("ordered"))
			if paths := m.options.paths(); i < len(paths) {
				pos = m.at(paths[i].offset)
			}
			what := "path " + part.Path
			if ix.Kind == model.Funcs {
				what = "the function " + part.Path
			}
			b.r.p.report.at(pos, "%s: %s; leave out ordered=true, or index something that has one", what, why)
		}
	}
}

// labels adds the index of +index:labels.
func (b *builder) labels(m *marker) {
	text := model.GoType{Ident: model.Ident{Name: "string"}}
	b.add(&model.Index{
		Name: "Label", Kind: model.Labels,
		Parts: []*model.Part{{Path: ".metadata.labels", Type: text}, {Path: ".metadata.labels", Type: text}},
	}, m.pos)
}

// owners adds the two indexes of +index:owner.
func (b *builder) owners(m *marker) {
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
		}, m.pos)
	}
}
