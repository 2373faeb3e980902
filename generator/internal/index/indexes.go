// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"go/token"
	"regexp"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// Builder builds the indexes of one root type.
type Builder struct {
	Resolver  *resolver
	Collected *collect.Collected
	Out       *model.Type
	Pos       map[*model.Index]token.Pos // the marker of each index

	Scopes func() map[string]map[string]served.Scope // the scopes of the known kinds by group and kind

	Notes map[*model.Index]string // the note that Explain adds to an index
	Used  map[token.Pos]bool      // markers that made an index

	markers map[*model.Index][]*collect.Marker // of a union: several
}

// Build returns the indexes of a root type in source order. Markers on the type come first,
// then markers on the fields below it.
func (b *Builder) Build(root *served.Root, fields []*Reached) {
	b.markers = map[*model.Index][]*collect.Marker{}
	for _, m := range root.Marks {
		if why := root.SlimLacks(strings.TrimPrefix(m.Name, "index:")); why != "" {
			b.errorf(m.Pos, "%s", why)
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

// errorf reports an error at a position.
func (b *Builder) errorf(pos token.Pos, format string, args ...any) {
	b.Resolver.p.Report.At(pos, format, args...)
}

// report reports a path error at the field that caused it, or at pos if no field did.
func (b *Builder) report(pos token.Pos, bad *pathError) {
	if bad.pos.IsValid() {
		pos = bad.pos
	}
	b.errorf(pos, "%s", bad.message)
}

// add adds an index. If its marker and that of an index of the same name both write the name, the index
// becomes a further source of that one.
func (b *Builder) add(ix *model.Index, m *collect.Marker) {
	for _, other := range b.Out.Indexes {
		if other.Name == ix.Name {
			b.unite(other, ix, m)
			return
		}
	}
	if other := b.same(ix); other != nil {
		b.errorf(m.Pos,
			"%s and %s, the other at %s, are two indexes of the same values; "+
				"keep one of them, with the options of both",
			ix.Name, other.Name, b.Resolver.p.Report.Where(b.Pos[other]))
		return
	}
	b.Pos[ix], b.markers[ix] = m.Pos, []*collect.Marker{m}
	b.Out.Indexes = append(b.Out.Indexes, ix)
}

// same returns the index, no union, that has the values of ix for every object, or nil.
func (b *Builder) same(ix *model.Index) *model.Index {
	for _, other := range b.Out.Indexes {
		if len(other.Also) == 0 && sameValues(ix, other) {
			return other
		}
	}
	return nil
}

// sameValues reports whether two sources of values at paths have equal values for every object.
func sameValues(a, b *model.Index) bool {
	path := func(p *model.Part) string {
		if p == nil {
			return ""
		}
		return p.Path
	}
	switch {
	case a.Kind != b.Kind || a.Kind != model.Paths && a.Kind != model.Refs && a.Kind != model.States,
		a.Kind == model.Refs && *a.To != *b.To:
		return false
	}
	return path(a.Namespace) == path(b.Namespace) && a.Conditions() == b.Conditions() && path(a.Else) == path(b.Else) &&
		slices.EqualFunc(a.Parts, b.Parts, func(p, q *model.Part) bool { return p.Path == q.Path })
}

// looksLikeAmount matches names of string types whose values users expect to be ordered as amounts.
var looksLikeAmount = regexp.MustCompile("Duration|Quantity")

// options sets the options that are true or false, and reports values without an order.
func (b *Builder) options(ix *model.Index, m *collect.Marker) {
	ix.Options = model.Options{
		Unique: m.Options.Flag("unique"), Ordered: m.Options.Flag("ordered"), OmitEmpty: m.Options.Flag("omitempty"),
	}
	ix.IndexName, ix.Format = m.Options.Quoted("indexName"), cmp.Or(m.Options.Quoted("format"), ix.Format)
	ix.If = b.conditions(m, ix.Parts[0])
	if word := m.Options.Word("else"); !m.Reported(word) {
		b.otherwise(ix, m, word)
	}
	if !ix.Ordered {
		return
	}
	for i, part := range ix.Parts {
		if name := part.Type.Ident.Name; b.Resolver.isText(part) && looksLikeAmount.MatchString(name) {
			b.Notes[ix] = name + " is a string, and strings are ordered as text: 10 comes before 9"
		}
		if why := b.Resolver.notOrdered(part); why != "" {
			pos := m.At(m.Options.Offset("ordered"))
			if paths := m.Options.Paths(); i < len(paths) {
				pos = m.At(paths[i].Offset)
			}
			what := "path " + part.Path
			if ix.Kind == model.Funcs {
				what = "the function " + part.Path
			}
			b.errorf(pos, "%s: %s; remove ordered=true, or index another value", what, why)
		}
	}
}
