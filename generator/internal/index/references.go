// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"fmt"
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
			b.report(m, word, &pathError{message: fmt.Sprintf(
				"path %s: it leads into %s, and path= does not; each name needs one namespace", word.Text, ix.Namespace.Steps[i].Text)})
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

// besideNamespace rejects a reference without namespacePath from a cluster-scoped object, if
// a namespace field stands beside the name field. The object has no namespace to fall back
// on, so namespaced targets would be indexed under the wrong key. If the target is
// cluster-scoped too, adding the option does no harm.
func (b *Builder) besideNamespace(m *collect.Marker) {
	word := m.Options.Word("path")
	before := word.Text[:max(0, strings.LastIndex(word.Text, "."))]
	if before == "" || before == ".metadata" {
		return
	}
	beside := before + ".namespace"
	if part, bad := b.Resolver.part(beside); bad == nil && b.Resolver.texts[part] {
		b.report(m, word, &pathError{message: fmt.Sprintf(
			"path %s: %s is cluster-scoped, so without namespacePath it could only refer to cluster-scoped objects; write namespacePath=%s",
			word.Text, b.Out.Kind, beside)})
	}
}

// referencePart resolves a path of a reference to a string. It returns nil if the option is
// missing.
func (b *Builder) referencePart(m *collect.Marker, option string) *model.Part {
	word := m.Options.Word(option)
	if m.Reported(word) {
		return nil
	}
	part, bad := b.Resolver.suggesting(func(_ string, part *model.Part) bool { return b.Resolver.texts[part] }).part(word.Text)
	if bad == nil && !b.Resolver.texts[part] {
		bad = &pathError{message: fmt.Sprintf(
			"path %s: it does not lead to a string; names and namespaces are strings", word.Text)}
	}
	if bad != nil {
		b.report(m, word, bad)
		return nil
	}
	part.Text = part.Type.Ident != model.Ident{Name: "string"}
	return part
}

// unshared returns the first step of part that iterates over a list or map and that other
// lacks, or -1. A lookup of a map key does not iterate.
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
