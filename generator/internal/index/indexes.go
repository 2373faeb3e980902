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
	// incompleteUnions has indexes that lack a source, because its marker is an error.
	incompleteUnions map[*model.Index]bool
}

// Build returns the indexes of a root type in source order. Markers on the type come first,
// then markers on the fields below it.
func (b *Builder) Build(root *served.Root, fields []*Reached) {
	b.markers, b.incompleteUnions = map[*model.Index][]*collect.Marker{}, map[*model.Index]bool{}
	for _, m := range root.Marks {
		if why := root.SlimLacks(strings.TrimPrefix(m.Name, "index:")); why != "" {
			b.errorf(m.Pos, "%s", why)
			continue
		}
		switch m.Name {
		case "index":
			b.addTypeMarker(m)
		case "index:owner":
			b.addOwnerIndexes(m)
		case "index:ref":
			b.addReferenceIndex(m)
		case "index:labels":
			b.addLabelsIndex(m)
		}
	}
	for _, f := range fields {
		b.addFieldMarker(root, f)
	}
	for _, f := range b.Collected.Funcs {
		b.addFunctionIndex(root, f)
	}
	for i, ix := range b.Out.Indexes { // now that unions are whole
		if other := b.indexWithSameValues(ix, b.Out.Indexes[:i]); other != nil {
			b.errorf(b.Pos[ix],
				"%s and %s, the other at %s, are two indexes of the same values; "+
					"keep one of them, with the options of both",
				ix.Name, other.Name, b.Resolver.program.Report.Where(b.Pos[other]))
		}
	}
	b.addSelectableIndexes(root)
}

// errorf reports an error at a position.
func (b *Builder) errorf(pos token.Pos, format string, args ...any) {
	b.Resolver.program.Report.At(pos, format, args...)
}

// reportPathError reports a path error at the field that caused it, or at pos if no field did.
func (b *Builder) reportPathError(fallbackPos token.Pos, bad *pathError) {
	if bad.fieldPos.IsValid() {
		fallbackPos = bad.fieldPos
	}
	b.errorf(fallbackPos, "%s", bad.message)
}

// addIndex adds an index. If its marker and that of an index of the same name both write the name, the index
// becomes a further source of that one.
func (b *Builder) addIndex(ix *model.Index, m *collect.Marker) {
	for _, other := range b.Out.Indexes {
		if other.Name == ix.Name {
			b.addToUnion(other, ix, m)
			return
		}
	}
	b.Pos[ix], b.markers[ix] = m.Pos, []*collect.Marker{m}
	b.Out.Indexes = append(b.Out.Indexes, ix)
}

// indexWithSameValues returns which of the others has the values of ix for every object, or nil. None is a union.
func (b *Builder) indexWithSameValues(ix *model.Index, others []*model.Index) *model.Index {
	isUnion := func(ix *model.Index) bool { return len(ix.Also) > 0 || b.incompleteUnions[ix] }
	for _, other := range others {
		if !isUnion(ix) && !isUnion(other) && haveSameValues(ix, other) {
			return other
		}
	}
	return nil
}

// haveSameValues reports whether two sources of values at paths have equal values for every object.
func haveSameValues(a, b *model.Index) bool {
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

// amountNamePattern matches names of string types whose values users expect to be ordered as amounts.
var amountNamePattern = regexp.MustCompile("Duration|Quantity")

// setOptions sets the options that are true or false, and reports values without an order.
func (b *Builder) setOptions(ix *model.Index, m *collect.Marker) {
	ix.Options = model.Options{
		Unique: m.Options.Flag("unique"), Ordered: m.Options.Flag("ordered"), OmitEmpty: m.Options.Flag("omitempty"),
	}
	ix.IndexName, ix.Format = m.Options.Quoted("indexName"), cmp.Or(m.Options.Quoted("format"), ix.Format)
	ix.If = b.resolveIfOption(m, ix.Parts[0])
	if word := m.Options.Word("else"); !m.Reported(word) {
		b.setElse(ix, m, word)
	}
	if !ix.Ordered {
		return
	}
	for i, part := range ix.Parts {
		if name := part.Type.Ident.Name; b.Resolver.isText(part) && amountNamePattern.MatchString(name) {
			b.Notes[ix] = name + " is a string, and strings are ordered as text: 10 comes before 9"
		}
		if why := b.Resolver.orderError(part); why != "" {
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
