// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"slices"
	"strings"
	"unicode"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// nearlyKubebuilder says what was meant by a marker of kubebuilder's that nearly is
// the one that makes an index, or that is named for indexes, which kubebuilder
// knows nothing of. controller-gen passes over both without a word. Its other
// markers are none of ours, however they are spelled.
func nearlyKubebuilder(text string) string {
	name := strings.TrimPrefix(text, "kubebuilder:")
	rest := ""
	if i := strings.IndexAny(name, ":=, "); i >= 0 {
		name, rest = name[:i], name[i:]
	}
	_, meant, _ := strings.Cut(Selectable, ":")
	lower := strings.ToLower(name)
	switch {
	case name == meant:
		return ""
	case lower == "selectable", lower == "fieldselector", diag.Distance(lower, meant) <= 2:
		if rest == "" {
			rest = ":JSONPath=.spec.field"
		}
		return "unknown marker +kubebuilder:" + name + "; did you mean +" + Selectable + rest + "?"
	case nearlyIndex(name):
		return "unknown marker +kubebuilder:" + name + meantIndex(rest)
	}
	return ""
}

// nearlyIndex reports whether a name is that of indexes in other words, in other case or
// in another order of its letters.
func nearlyIndex(name string) bool {
	name = strings.ToLower(name)
	letters := []rune(name)
	slices.Sort(letters)
	return name == "idx" || name == "indices" || strings.HasPrefix(name, "index") || string(letters) == "deinx"
}

// unread says what is wrong with a +kubebuilder:selectablefield that controller-tools
// silently passes over, because it takes all up to the last colon before an = for the
// name; "" for other text.
func unread(text string) string {
	rest, ok := strings.CutPrefix(text, "+"+Selectable)
	if !ok || rest == "" || rest[0] == '=' || rest[0] == ':' && strings.Contains(rest, "=") {
		return ""
	}
	path := strings.Trim(rest, ":, \t")
	if _, after, ok := strings.Cut(path, "="); ok {
		path = strings.TrimSpace(after)
	}
	if !strings.HasPrefix(path, ".") {
		path = ".spec.field"
	}
	return "the path has a name and follows a colon; write +" + Selectable + ":JSONPath=" + path
}

// visible returns a comment without the characters at its beginning that are not
// seen, such as a zero-width space, and with a + for what looks like one.
func visible(text string) string {
	hidden := func(r rune) bool { return unicode.Is(unicode.Cf, r) || unicode.IsSpace(r) }
	text = strings.TrimLeftFunc(text, hidden)
	for _, plus := range []string{"\uff0b", "\ufe62", "\u2795", "\u207a", "\u02d6"} {
		if rest, ok := strings.CutPrefix(text, plus); ok {
			text = "+" + rest
		}
	}
	if rest, ok := strings.CutPrefix(text, "+"); ok {
		text = "+" + strings.TrimLeftFunc(rest, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
	}
	return text
}

// IsSelectable reports whether a comment is the marker of kubebuilder's that makes
// an index.
func IsSelectable(text string) bool {
	rest, ok := strings.CutPrefix(text, "+"+Selectable)
	return ok && (rest == "" || strings.IndexAny(rest[:1], ":=, ") == 0)
}
