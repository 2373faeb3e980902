// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"slices"
	"strings"
	"unicode"
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
	_, meant, _ := strings.Cut(selectable, ":")
	lower := strings.ToLower(name)
	switch {
	case name == meant:
		return ""
	case lower == "selectable", lower == "fieldselector", distance(lower, meant) <= 2:
		if rest == "" {
			rest = ":JSONPath=.spec.field"
		}
		return "unknown marker +kubebuilder:" + name + "; did you mean +" + selectable + rest + "?"
	case lower == "idx", strings.HasPrefix(lower, "index"):
		return "unknown marker +kubebuilder:" + name + "; did you mean +index" + rest + "?"
	}
	return ""
}

// otherTools are markers of other tools that nearly are one of those that say how a
// type is served.
var otherTools = []string{"groupGoName"}

// nearlyServed says what was meant by a marker that nearly is one of those which
// decide group, version, plural and scope, and which the tools that they belong to
// pass over without a word. The marker ends with its line or an = follows its name:
// other text may be about anything.
func nearlyServed(text string) string {
	name, _, valued := strings.Cut(text, "=")
	rest := text[len(name):]
	space, last := cutLastColon(name)
	switch {
	case text == groupName, text == versionName, text == resourceName:
		return "+" + text + " has no value; write +" + text + "=" + map[string]string{
			groupName: "example.com", versionName: "v1", resourceName: "widgets",
		}[text]
	case strings.ContainsAny(name, " \t") || slices.Contains(otherTools, name):
		return ""
	case space == "kubebuilder" && valued:
		for _, meant := range []string{groupName, versionName, resourceName} {
			if last == meant {
				return "unknown marker +" + name + "; did you mean +" + meant + rest + "?"
			}
		}
	case space == "genclient" && mistyped(last, "nonNamespaced"):
		return "unknown marker +" + name + "; did you mean +" + nonNamespace + "?"
	case space == "" && valued:
		for _, meant := range []string{groupName, versionName, resourceName} {
			if mistyped(last, meant) {
				return "unknown marker +" + name + "; did you mean +" + meant + rest + "?"
			}
		}
	}
	if after, ok := strings.CutPrefix(text, "kubebuilder:"); ok {
		if word, options, _ := strings.Cut(after, ":"); options != "" && mistyped(word, "resource") {
			return "unknown marker +kubebuilder:" + word + "; did you mean +" + resourceMark + ":" + options + "?"
		}
	}
	return ""
}

// mistyped reports whether a name is not the one that is meant, and nearly is.
func mistyped(name, meant string) bool {
	return name != meant && distance(strings.ToLower(name), strings.ToLower(meant)) <= 2
}

// cutLastColon cuts a name at its last colon; without one, all of it is after.
func cutLastColon(name string) (before, after string) {
	i := strings.LastIndex(name, ":")
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
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

// isSelectable reports whether a comment is the marker of kubebuilder's that makes
// an index.
func isSelectable(text string) bool {
	rest, ok := strings.CutPrefix(text, "+"+selectable)
	return ok && (rest == "" || strings.IndexAny(rest[:1], ":=, ") == 0)
}
