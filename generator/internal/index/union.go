// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// unionWideOptions are the options that one marker of a union may have for all.
var unionWideOptions = []string{"unique", "ordered", "indexName", "format", "value"}

// addToUnion adds a source of values to an index of the same name, or reports why the two are no union.
func (b *Builder) addToUnion(union, ix *model.Index, m *collect.Marker) {
	at := b.Pos[union]
	fail := func(offset int, format string, args ...any) {
		b.incompleteUnions[union] = true
		b.errorf(m.At(offset), "%s has two indexes named %s, the other at %s; "+format,
			append([]any{b.Out.Kind, ix.Name, b.Resolver.program.Report.Where(at)}, args...)...)
	}
	if len(b.markers[union]) == 0 {
		fail(0, "change one name=")
		return
	}
	switch first := b.markers[union][0]; {
	case first.Name != m.Name:
		fail(0, "one is made by +%s, the other by +%s, and one index has markers of one kind; change one name=",
			first.Name, m.Name)
		return
	case !first.Options.Has("name") || !m.Options.Has("name"):
		fail(0, "change one name=, or write name=%s in both markers for one index of both", ix.Name)
		return
	}
	differ := func(option string, one, other any, remedy string) {
		fail(m.Options.Offset(option), "they make one index of both, and so need the same %s, not %v and %v; "+
			"%schange one name=", option, one, other, remedy)
	}
	for _, option := range unionWideOptions {
		for _, other := range b.markers[union] {
			one, two := other.Options.Text(option), m.Options.Text(option)
			if other.Options.Has(option) && m.Options.Has(option) && one != two {
				at = other.Pos
				differ(option, one, two, "write "+option+"= once, or ")
				return
			}
		}
	}
	if ix.Kind == model.States && union.Kind == model.States {
		b.shareStateKey(union, ix, m)
	}
	switch {
	case ix.Kind == model.Refs && *ix.To != *union.To:
		to := func(r *model.Referent) string {
			switch r.Kind {
			case "":
				return "scope=" + r.Scope()
			case model.AnyKind:
				return r.Kind + " of scope " + r.Scope()
			}
			return r.String()
		}
		differ("to", to(union.To), to(ix.To), "")
	case (ix.Kind == model.States) != (union.Kind == model.States):
		fail(m.Options.Offset("name"), "one has a path and the other only if=, and a state has no values; change one name=")
	case ix.Kind != model.Refs && !haveEqualTypes(union, ix):
		fail(m.Options.Offset("name"), "they make one index of both, and so need values of the same type, "+
			"not %s and %s; change one name=", b.valueTypesText(union), b.valueTypesText(ix))
	case slices.ContainsFunc(union.Sources(), func(other *model.Index) bool { return haveSameValues(ix, other) }):
		fail(m.Options.Offset("path"), "both have the same values; remove one of the markers")
	default:
		union.Also = append(union.Also, ix)
		b.Pos[ix], b.markers[union] = m.Pos, append(b.markers[union], m)
		union.Unique, union.Ordered = union.Unique || ix.Unique, union.Ordered || ix.Ordered
		union.IndexName = cmp.Or(union.IndexName, ix.IndexName)
		if m.Options.Has("format") {
			union.Format = ix.Format
		}
	}
}

// shareStateKey gives the states of a union the key that one of them has, if any has value=.
func (b *Builder) shareStateKey(union, ix *model.Index, m *collect.Marker) {
	key := union.Parts[0].Literal
	if m.Options.Has("value") {
		key = ix.Parts[0].Literal
	}
	for _, state := range append(union.Sources(), ix) {
		state.Parts[0].Path, state.Parts[0].Literal = key, key
	}
}

// haveEqualTypes reports whether the values of two indexes have the same types.
func haveEqualTypes(a, b *model.Index) bool {
	return slices.EqualFunc(a.Parts, b.Parts, func(p, q *model.Part) bool {
		return reflect.DeepEqual(p.Type, q.Type)
	})
}

// valueTypesText names the types of an index's values, as a message shows them.
func (b *Builder) valueTypesText(ix *model.Index) string {
	var names []string
	for _, part := range ix.Parts {
		names = append(names, b.Resolver.typeText(b.Resolver.valueTypes[part]))
	}
	return strings.Join(names, " with ")
}
