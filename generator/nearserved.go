// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"regexp"
	"slices"
	"strings"
)

// otherTools are markers of other tools that nearly are one of those that say how a
// type is served.
var otherTools = []string{"groupGoName"}

// exampleOf is a value of each marker that has one.
var exampleOf = map[string]string{groupName: "example.com", versionName: "v1", resourceName: "widgets"}

// nearlyServed says what was meant by a marker that nearly is one of those which
// decide group, version, plural and scope, and which the tools that they belong to
// pass over without a word. The marker ends with its line or an = follows its name:
// other text may be about anything.
func nearlyServed(text string) string {
	if meant := spaced(text); meant != "" {
		return meant
	}
	name, _, valued := strings.Cut(text, "=")
	rest := text[len(name):]
	space, last := cutLastColon(name)
	switch {
	case text == groupName, text == versionName, text == resourceName:
		return "+" + text + " has no value; write +" + text + "=" + exampleOf[text]
	case strings.ContainsAny(name, " \t") || slices.Contains(otherTools, name):
		return ""
	case space == "kubebuilder" && valued:
		for _, meant := range []string{groupName, versionName, resourceName} {
			if last == meant || mistyped(last, meant) {
				return "unknown marker +" + name + "; did you mean +" + meant + rest + "?"
			}
		}
	case space == "genclient" && mistyped(last, "nonNamespaced"):
		return "unknown marker +" + name + "; did you mean +" + nonNamespace + "?"
	case space == "" && valued && name != servedName(name) && servedName(name) != "":
		if rest == "=" {
			rest += exampleOf[servedName(name)]
		}
		return "unknown marker +" + name + "; did you mean +" + servedName(name) + rest + "?"
	}
	if after, ok := strings.CutPrefix(text, "kubebuilder:"); ok {
		if word, options, _ := strings.Cut(after, ":"); options != "" && mistyped(word, "resource") {
			return "unknown marker +kubebuilder:" + word + "; did you mean +" + resourceMark + ":" + options + "?"
		}
		if meant := versionMark(after); meant != "" {
			return "unknown marker +" + name + "; did you mean +" + meant + "?"
		}
	}
	return ""
}

// mistyped reports whether a name is not the one that is meant, and nearly is.
func mistyped(name, meant string) bool {
	return name != meant && distance(strings.ToLower(name), strings.ToLower(meant)) <= 2
}

// versionMark returns the marker about a version, none of which has options, that one of
// kubebuilder's, without its space, nearly is; "" for others.
func versionMark(text string) string {
	name, _, _ := strings.Cut(text, "=")
	name, _, options := strings.Cut(name, ":")
	for _, meant := range []string{unserved, skipVersion} {
		if word := strings.TrimPrefix(meant, "kubebuilder:"); mistyped(name, word) || options && name == word || strings.EqualFold(name+"version", word) && "kubebuilder:"+name != skipPackage {
			return meant
		}
	}
	return ""
}

// cutLastColon cuts a name at its last colon; without one, all of it is after.
func cutLastColon(name string) (before, after string) {
	i := strings.LastIndex(name, ":")
	if i < 0 {
		return "", name
	}
	return name[:i], name[i+1:]
}

var (
	// valued is a marker of one value, which should follow an = without space.
	valued = regexp.MustCompile(`^\s*(\w+)\s*(:=|:|=|\s)\s*(\S*)$`)
	// resourceLike is +kubebuilder:resource with anything but a colon before its options.
	resourceLike = regexp.MustCompile(`^kubebuilder:resource(?:\s+:|\s*,|\s*\(|\s)\s*(\w+=.*)$`)
	// scopeLike is +genclient:nonNamespaced with anything but a colon in it.
	scopeLike = regexp.MustCompile(`^genclient(\s*[:,=]\s*|\s+)nonNamespaced$`)
)

// spaced says how to write a marker that decides how a type is served if its name is
// right and what is around it is not, such as the colon that other markers have; "" for
// others. controller-gen passes over most of these, and client-gen over more.
func spaced(text string) string {
	trimmed := strings.TrimSpace(text)
	if parts := valued.FindStringSubmatch(text); parts != nil && servedName(parts[1]) != "" {
		given, between, value := parts[1], parts[2], parts[3]
		name := servedName(given)
		meant := name + "=" + value
		switch {
		case value == "" && between != "=":
			return "+" + given + " has no value; write +" + name + "=" + exampleOf[name]
		case trimmed == meant && text != trimmed:
			return "a marker has no space after the +; write +" + meant
		case text == meant, value == "":
			return ""
		case name != given && (between != " " || convincing(name, value)):
			return "unknown marker +" + given + "; did you mean +" + meant + "?"
		case between == "=":
			return "a marker has no space around its =; write +" + meant
		case strings.Contains(between, ":"), convincing(name, value):
			return "the value of +" + name + " follows an =; write +" + meant
		}
		return ""
	}
	if text != trimmed {
		for _, name := range []string{resourceMark, nonNamespace, objectRoot, unserved, skipVersion} {
			if rest, ok := strings.CutPrefix(trimmed, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ":=")) {
				return "a marker has no space after the +; write +" + trimmed
			}
		}
	}
	if parts := resourceLike.FindStringSubmatch(trimmed); parts != nil {
		return "options follow a colon: write +" + resourceMark + ":" + strings.TrimSuffix(parts[1], ")")
	}
	if scopeLike.MatchString(trimmed) && trimmed != nonNamespace {
		return "unknown marker +" + trimmed + "; did you mean +" + nonNamespace + "?"
	}
	return ""
}

// servedName returns the marker of one value that a name is or nearly is, or "".
func servedName(name string) string {
	for _, meant := range []string{groupName, versionName, resourceName} {
		if name == meant || mistyped(name, meant) && !slices.Contains(otherTools, name) {
			return meant
		}
	}
	return ""
}

// convincing reports whether a word can hardly be text, but the value of that marker.
func convincing(name, value string) bool {
	return name == versionName && isVersion.MatchString(value) ||
		name == groupName && strings.Contains(value, ".") && isGroup.MatchString(value)
}

// isServed reports whether a comment is a marker that says how a type is served.
func isServed(text string) bool {
	for _, name := range []string{groupName + "=", versionName + "=", resourceName + "=", resourceMark + ":", nonNamespace, objectRoot, unserved, skipVersion} {
		if strings.HasPrefix(text, "+"+name) {
			return true
		}
	}
	return false
}
