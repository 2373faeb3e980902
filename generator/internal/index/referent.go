// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package index

import (
	"maps"
	"slices"
	"strings"

	"github.com/gobuffalo/flect"

	"github.com/indexer-gen/indexer-gen/generator/internal/collect"
	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/served"
	"github.com/indexer-gen/indexer-gen/templates/model"
)

// resolveReferent returns the kind that a reference points to. It returns nil after reporting an error.
func (b *Builder) resolveReferent(m *collect.Marker) *model.Referent {
	word, scope := m.Options.Word("to"), m.Options.Text("scope")
	if m.Options.Has("to") && m.Reported(word) || m.Options.Has("scope") && m.Reported(m.Options.Word("scope")) {
		return nil
	}
	if !m.Options.Has("to") {
		return &model.Referent{Namespaced: scope != "Cluster"}
	}
	if word.Text == model.AnyKind {
		return &model.Referent{Kind: model.AnyKind, Namespaced: scope != "Cluster", AnyScope: scope == ""}
	}
	kind, group, _ := strings.Cut(word.Text, ".")
	to := &model.Referent{Kind: kind, Group: group}
	scopes := b.Scopes()
	known := scopes[group]
	fail := func(offset int, format string, args ...any) *model.Referent {
		b.errorf(m.At(offset), "to=%s: "+format, append([]any{to}, args...)...)
		return nil
	}
	if known[kind] == served.Unknown {
		if likely := kindIgnoringCaseOrPlural(kind, known); likely != "" {
			return fail(word.Offset, "it is no kind; write to=%s", &model.Referent{Kind: likely, Group: group})
		}
		if first := kind[:1]; first == strings.ToLower(first) {
			return fail(word.Offset, "a kind begins in upper case, as in to=Gateway.gateway.networking.k8s.io")
		}
	}
	declared := map[string]served.Scope{"Cluster": served.Cluster, "Namespaced": served.Namespaced}[scope]
	found := known[kind]
	switch {
	case found == served.Unknown && declared == served.Unknown:
		if other := kindInAnyGroup(kind, scopes); other != nil {
			return fail(word.Offset, "no such kind is known; did you mean to=%s? If not, write scope=Namespaced or "+
				"scope=Cluster", other)
		}
		return fail(word.Offset, "its scope is not known, because its type is neither loaded nor of k8s.io/api; "+
			"write scope=Namespaced or scope=Cluster%s", diag.DidYouMean(kind, misspelledKinds(kind, known)))
	case found != served.Unknown && declared != served.Unknown && found != declared:
		return fail(m.Options.Word("scope").Offset, "its scope is not %s; remove the option", scope)
	}
	to.Namespaced = max(found, declared) == served.Namespaced
	return to
}

// kindInAnyGroup returns a known kind of that name in any group, or nil.
func kindInAnyGroup(kind string, scopes map[string]map[string]served.Scope) *model.Referent {
	for _, group := range slices.Sorted(maps.Keys(scopes)) {
		if scopes[group][kind] != served.Unknown {
			return &model.Referent{Kind: kind, Group: group}
		}
	}
	return nil
}

// misspelledKinds returns the known kinds of which text may be a misspelling. Only one edit counts: WidgetSet
// beside Widget, or UDPRoute beside TCPRoute, is a kind whose package is not loaded.
func misspelledKinds(text string, known map[string]served.Scope) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(known)), func(kind string) bool {
		return diag.Distance(text, kind) > 1
	})
}

// kindIgnoringCaseOrPlural returns the known kind that text means in lower case or in the plural, or "".
func kindIgnoringCaseOrPlural(text string, known map[string]served.Scope) string {
	for _, kind := range slices.Sorted(maps.Keys(known)) {
		for _, other := range []string{kind, flect.Pluralize(kind)} {
			if strings.EqualFold(text, other) {
				return kind
			}
		}
	}
	return ""
}
