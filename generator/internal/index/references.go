// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// reference adds the index of +index:ref:name=N,path=P,namespacePath=Q.
func (b *Builder) reference(m *collect.Marker) {
	name, namespace := b.referencePart(m, "path"), b.referencePart(m, "namespacePath")
	if name == nil || len(m.Refused) > 0 {
		return
	}
	ix := &model.Index{
		Name: m.Options.Text("name"), Kind: model.Refs, Parts: []*model.Part{name},
		Value: model.GoType{Ident: model.Ident{Path: model.Types, Name: "NamespacedName"}},
	}
	if m.Options.Has("namespacePath") {
		ix.Namespace = namespace
		if ix.Namespace == nil {
			return
		}
		if i := unshared(ix.Namespace, name); i >= 0 {
			word := m.Options.Word("namespacePath")
			b.errorf(m.At(word.Offset),
				"path %s: it leads into %s, and path= does not; each name needs one namespace",
				word.Text, ix.Namespace.Steps[i].Text)
			return
		}
	}
	if !m.Options.Has("namespacePath") && !b.Out.Namespaced {
		b.besideNamespace(m)
	}
	name.Type = ix.Value
	b.options(ix, m)
	b.add(ix, m.Pos)
}

// besideNamespace reports a reference without namespacePath if the object is cluster-scoped and
// a field namespace is beside the field of the name. The object has no namespace of its own, so
// namespaced targets would be indexed under the wrong key. The option does no harm if the
// target is cluster-scoped too.
func (b *Builder) besideNamespace(m *collect.Marker) {
	word := m.Options.Word("path")
	before := word.Text[:max(0, strings.LastIndex(word.Text, "."))]
	if before == "" || before == ".metadata" {
		return
	}
	beside := before + ".namespace"
	if part, bad := b.Resolver.part(beside); bad == nil && b.Resolver.texts[part] {
		b.errorf(m.At(word.Offset),
			"path %s: %s is cluster-scoped, so without namespacePath it could only refer to "+
				"cluster-scoped objects; write namespacePath=%s",
			word.Text, b.Out.Kind, beside)
	}
}

// referencePart resolves the path of an option to a string. It returns nil after reporting an
// error, and if the option is missing or its error is already reported.
func (b *Builder) referencePart(m *collect.Marker, option string) *model.Part {
	word := m.Options.Word(option)
	if m.Reported(word) {
		return nil
	}
	part, bad := b.Resolver.suggesting(
		func(_ string, part *model.Part) bool { return b.Resolver.texts[part] }).part(word.Text)
	switch {
	case bad != nil:
		b.report(m.At(word.Offset+bad.offset), bad)
		return nil
	case !b.Resolver.texts[part]:
		b.errorf(m.At(word.Offset),
			"path %s: it does not lead to a string; names and namespaces are strings", word.Text)
		return nil
	}
	part.Text = part.Type.Ident != model.Ident{Name: "string"}
	return part
}

// unshared returns the index of the first step of part that iterates over a list or map, unless
// other iterates there too, or -1. A lookup of a map key does not iterate.
func unshared(part, other *model.Part) int {
	shared := map[string]bool{}
	for i, s := range other.Steps {
		if s.Op != model.Field {
			shared[other.Prefix(i)] = true
		}
	}
	for i, s := range part.Steps {
		if s.Op != model.Field && s.Op != model.Lookup && !shared[part.Prefix(i)] {
			return i
		}
	}
	return -1
}
