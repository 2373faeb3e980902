// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
	"github.com/indexer-gen/indexer-gen/generator/internal/marker"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// setElse sets the value of else= of an index of one path. It reports errors.
func (b *Builder) setElse(ix *model.Index, m *collect.Marker, word marker.Word) {
	r, path, bad := b.Resolver, ix.Parts[0], (*pathError)(nil)
	same := func(_ string, p *model.Part) bool {
		return reflect.DeepEqual(p.Type, path.Type) || ix.Kind == model.Refs && r.isText(p)
	}
	part := &model.Part{Path: word.Text}
	ix.Else = part // also if it is wrong, and so like no other
	literal, isLiteral := fieldpath.Literal(word.Text)
	isPath := strings.HasPrefix(strings.TrimPrefix(word.Text, "$"), ".")
	if isPath && !ix.Struct {
		if part, bad = r.withHintFilter(same).resolvePart(word.Text); bad != nil {
			b.reportPathError(m.At(word.Offset+bad.offset), bad)
			return
		}
	}
	name, leads := strings.Trim(literal, `"`), "path "+path.Path+" leads to "+r.typeText(r.valueTypes[path])
	why, text := "", ""
	if isLiteral && !ix.Struct {
		text = served.TextsOf(r.program, r.valueFields[path], r.valueTypes[path], r.markerPackage).Misspelled(name)
	}
	switch {
	case ix.Struct:
		why = "path " + path.Path + " leads to a struct that refers, and else is for one value" + byFunctionHint
	case !isPath && !isLiteral:
		why = cmp.Or(fieldpath.QuoteError(word.Text), "it is neither a path nor a literal; write strings in quotes")
	case isLiteral && (path.Convert != nil || !isValueOf(literal, r.valueTypes[path])):
		why = leads + ", of which it is no value; write one, or a path" + r.requotedLiteralHint(literal, path)
	case isLiteral && text != "":
		why = leads + ", and " + text
	case isLiteral && ix.Kind == model.Refs && !isReferenceText(name, ix.Split):
		why = "it is no name; write one, or a path"
	case isPath && !same("", part):
		why = "it is " + r.typeText(r.valueTypes[part]) + ", and " + leads + "; write a path to that, or a literal"
	case isPath && firstUnsharedList(part, path) >= 0:
		why = "it leads into " + part.Steps[firstUnsharedList(part, path)].Text + ", and path " + path.Path + " does not; " +
			"write a path to one value"
	}
	if why == "" {
		part.Text = isPath && ix.Kind == model.Refs && part.Type.Ident != model.Ident{Name: "string"}
		part.Literal, part.Type, part.Basic, ix.Else = literal, path.Type, path.Basic, part
		steps, single := ix.Shared()
		absent := func(s *model.Step) bool { return s.Pointer || s.Op == model.Lookup }
		ix.OmitEmpty = single && ix.Kind == model.Paths && r.isText(path)
		if single && !r.isText(path) && (path.Convert == nil || !path.Convert.Unset) &&
			!slices.ContainsFunc(path.Steps[steps:], absent) {
			why = leads + ", which is never absent, since zero is a value; remove else, or make the field a pointer"
		}
	}
	if why != "" {
		b.errorf(m.At(word.Offset), "else=%s: %s", word.Text, why)
	}
}

// requotedLiteralHint suggests a literal with quotes or without, if that is a value of a part.
func (r *resolver) requotedLiteralHint(literal string, of *model.Part) string {
	other, text := strconv.Quote(literal), strings.Trim(literal, `"`)
	if number, ok := fieldpath.Literal(text); text != literal && ok {
		other = number
	}
	if of.Convert != nil || !isValueOf(other, r.valueTypes[of]) {
		return ""
	}
	return ", as in else=" + other
}

// isReferenceText reports whether a literal may be a name or, with namespaced, a namespace and a name.
func isReferenceText(literal string, namespaced bool) bool {
	namespace, name, both := strings.Cut(literal, "/")
	if !both {
		return literal != ""
	}
	return namespaced && namespace != "" && name != "" && !strings.Contains(name, "/")
}
