// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

// Error is an error in the text of a marker.
type Error struct {
	Offset  int // bytes from the +
	Message string
}

// parseMarker parses a marker on a declaration of kind on. text begins with the +.
//
// The registry of controller-tools parses kubebuilder's markers. It does not suit ours: it
// stops at the first error and gives no offset, accepts repeated options, and ends a path at
// a comma in a map key.
func parseMarker(text string, on declarationKind) (def *definition, options Options, bad []Error) {
	def, rest := splitMarker(text)
	if def == nil {
		return nil, nil, []Error{unknownMarkerError(text)}
	}
	return def.parseOptions(text, rest, on)
}

// parseOptions parses the options of a marker whose name ends at rest. It suggests no other
// markers, because suggestions are checked with it.
func (d *definition) parseOptions(text string, rest int, on declarationKind) (_ *definition, options Options, bad []Error) {
	fail := func(offset int, format string, args ...any) (*definition, Options, []Error) {
		return nil, nil, []Error{{offset, fmt.Sprintf(format, args...)}}
	}
	if !slices.Contains(d.declarationKinds, on) {
		return fail(0, "+%s is not for %s; %s", d.Name, on, d.otherPlaceHint(on))
	}
	if rest == len(text) {
		return d, nil, nil
	}
	if len(d.Options) == 0 {
		return fail(rest, "+%s takes no options", d.Name)
	}
	switch text[rest] {
	case ',':
		return fail(rest, "options follow a colon: write +%s:%s", d.Name, text[rest+1:])
	case ' ', '\t':
		return fail(rest, "a marker ends with its line, and nothing follows +%s but options after a colon",
			d.Name)
	case '=':
		return fail(rest, "options follow a colon and have names, as in +%s:name=N", d.Name)
	case ':':
	default:
		return fail(rest, "nothing but options after a colon follows +%s, as in +%s:name=N", d.Name, d.Name)
	}
	scanner := &optionScanner{markerText: text, offset: rest + 1}
	options = scanner.scanOptions()
	if len(scanner.errors) > 0 {
		return nil, nil, scanner.errors
	}
	return d, options, d.checkEachOption(options)
}

// splitMarker returns the definition of the marker in text and the offset where its name
// ends. The definition is nil if the marker is unknown. In +index:nme=N, nme may be a
// misspelled option, so the marker is +index.
func splitMarker(text string) (def *definition, rest int) {
	end := 1 + Identifier(text[1:])
	if text[1:end] != "index" {
		return nil, 0
	}
	if end == len(text) || text[end] != ':' {
		return findDefinition("index"), end
	}
	second := end + 1 + Identifier(text[end+1:])
	name := text[end+1 : second]
	if def := findDefinition("index:" + name); def != nil {
		return def, second
	}
	if name != "" && strings.HasPrefix(strings.TrimLeft(text[second:], " \t"), "=") {
		return findDefinition("index"), end
	}
	return nil, 0
}

// Identifier returns the length in bytes of the name at the start of text.
func Identifier(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' {
			return i
		}
	}
	return len(text)
}

// checkEachOption returns the errors of unknown options, repeated options and invalid values.
func (d *definition) checkEachOption(options Options) (bad []Error) {
	fail := func(offset int, format string, args ...any) {
		bad = append(bad, Error{offset, fmt.Sprintf(format, args...)})
	}
	seen := map[string]bool{}
	for i, g := range options {
		o, known := d.findOption(g.Name)
		switch {
		case !known && !g.hasEquals && strings.HasPrefix(g.Name, ".") && i > 0:
			fail(g.offset, "several paths go into braces: write paths={%s,%s}", options[i-1].lastTextOrName(), g.Name)
		case g.Name == "" && g.hasEquals:
			fail(g.offset, "an option has no name before its =")
		case g.Name == "":
			fail(g.offset, "an option is missing before the comma")
		case !known && d.refusedOptions[g.Name] != "":
			fail(g.offset, "+%s has no option %s: %s", d.Name, g.Name, d.refusedOptions[g.Name])
		case !known:
			suggestion := diag.DidYouMean(g.Name, d.OptionNames())
			if suggestion == "" {
				suggestion = "; it has " + strings.Join(d.OptionNames(), ", ")
			}
			fail(g.offset, "+%s has no option %s%s", d.Name, g.Name, suggestion)
		case seen[g.Name]:
			fail(g.offset, "the option %s is written twice", g.Name)
		case !g.hasEquals:
			fail(g.offset, "the option %s has no value; write %s=%s", g.Name, g.Name, o.kind.example())
		default:
			if message := o.valueError(g); message != "" {
				fail(g.valueOrNameOffset(), "%s", message)
			}
		}
		seen[g.Name] = true
	}
	return bad
}

// valueError returns the error for the value of an option, or "".
func (o option) valueError(g writtenOption) string {
	joined := strings.Trim(g.joinedValues(), "[]{}")
	if o.kind == pathValue || o.kind == pathsValue {
		joined = g.joinedPaths()
	}
	if o.kind == ifValue {
		if slices.ContainsFunc(g.values, func(w Word) bool { return w.Text == "" }) || len(g.values) == 0 {
			return "a condition is missing; write if=" + o.kind.example()
		}
		return ""
	}
	if o.kind == elseValue && !g.isList && g.values[0].Text != "" {
		return ""
	}
	if o.kind == textValue {
		if len(g.values) != 1 || Unquoted(g.values[0]) == "" {
			return fmt.Sprintf("%s is a text in quotes, and not empty; write %[1]s=%s", o.name, o.kind.example())
		}
		return ""
	}
	if instead := o.trailingTextError(g); instead != "" {
		return instead
	}
	switch {
	case o.kind == pathsValue && len(g.values) == 1 && strings.HasPrefix(g.values[0].Text, "["):
		return fmt.Sprintf("several paths go into braces: write paths={%s}", joined)
	case o.kind == pathsValue:
		for _, v := range g.values {
			if v.Text == "" {
				return "a path is missing; write paths={.spec.a,.spec.b}"
			}
		}
		return ""
	case g.isList && o.kind == pathValue && len(g.values) == 1:
		return "braces are for several paths; leave them out"
	case g.isList && o.kind == pathValue:
		return fmt.Sprintf("%s= takes one path; for several write paths={%s}", o.name, joined)
	case g.isList && o.kind == kindValue:
		return o.name + "= takes one kind, because keys of several kinds would collide; write one index for each kind, or to=* for any"
	case g.isList && len(g.values) > 1 && strings.Contains(g.values[1].Text, "="):
		return fmt.Sprintf("options are separated by commas: write %s=%s", o.name, joined)
	case g.isList:
		return fmt.Sprintf("%s= takes one value, as in %s=%s", o.name, o.name, o.kind.example())
	case g.values[0].Text == "":
		return fmt.Sprintf("%s= is empty; write %s=%s", o.name, o.name, o.kind.example())
	case o.kind == flagValue && g.values[0].Text != "true" && g.values[0].Text != "false":
		return fmt.Sprintf("%s is true or false, not %s", o.name, g.values[0].Text)
	case o.kind == kindValue:
		return kindError(o.name, g.values[0].Text)
	case o.kind == scopeValue && g.values[0].Text != "Cluster" && g.values[0].Text != "Namespaced":
		return fmt.Sprintf("scope is Cluster or Namespaced, not %s", g.values[0].Text) +
			diag.DidYouMean(g.values[0].Text, []string{"Cluster", "Namespaced"})
	}
	if head, tail, spaced := strings.Cut(g.values[0].Text, " "); spaced {
		tail = strings.TrimSpace(tail)
		if n := Identifier(tail); n > 0 && strings.HasPrefix(tail[n:], "=") &&
			!strings.HasPrefix(tail[n:], "==") {
			return fmt.Sprintf("options are separated by commas: write %s=%s,%s", o.name, head, tail)
		}
	}
	return ""
}

// kindPattern matches a kind and its group. Whether the kind exists is for package index.
var kindPattern = regexp.MustCompile(`^[A-Za-z]\w*(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`)

// versionedKindPattern matches a kind with a version before its group, as in Gateway.v1.gateway.networking.k8s.io.
var versionedKindPattern = regexp.MustCompile(`^(\w+)\.v[0-9]+(?:(?:alpha|beta)[0-9]+)?(\..*|)$`)

// slashedKindPattern matches group/Kind, group/version/Kind and version/Kind.
var slashedKindPattern = regexp.MustCompile(`^(?:([a-z0-9.-]+)/)??(?:v[0-9]\w*/)?([A-Z]\w*)$`)

// kindError returns the reason why text is not the value of an option that takes a kind, or "".
func kindError(option, text string) string {
	if m := versionedKindPattern.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s= takes no version; write %[1]s=%[2]s", option, m[1]+m[2])
	}
	if kind, ok := strings.CutSuffix(text, ".core"); ok && kindPattern.MatchString(kind) {
		return fmt.Sprintf("the core group has no name; write %s=%s", option, kind)
	}
	if kindPattern.MatchString(text) || text == "*" && option == "to" {
		return ""
	}
	if m := slashedKindPattern.FindStringSubmatch(text); m != nil && m[1] != "" {
		return fmt.Sprintf("%s= takes a kind, a dot and its group; write %[1]s=%[2]s.%[3]s", option, m[2], m[1])
	} else if m != nil {
		return fmt.Sprintf("%s= takes a kind, a dot and its group; write %[1]s=%[2]s", option, m[2])
	}
	return option + "= takes a kind, a dot and its group, as in " + option +
		"=Gateway.gateway.networking.k8s.io, or the kind alone for the core group, as in " + option + "=Secret"
}

// colonPattern matches a value and a further option that are separated by a colon.
var colonPattern = regexp.MustCompile(`^([^\s:\[]+):\s*(\w+=[^=].*)$`)

// trailingTextError returns the error for a value that is followed by a comment, or by a colon and
// another option. Otherwise it returns "".
func (o option) trailingTextError(g writtenOption) string {
	if g.isList || len(g.values) != 1 {
		return ""
	}
	value := g.values[0].Text
	for _, sign := range []string{" #", " //"} {
		head, _, commented := strings.Cut(value, sign)
		head = strings.TrimSpace(head)
		_, err := fieldpath.Parse(head)
		if commented && head != "" && (err == nil || o.kind != pathValue) {
			return fmt.Sprintf("a marker ends with its line, and a comment cannot follow; write %s=%s",
				o.name, head)
		}
	}
	if parts := colonPattern.FindStringSubmatch(value); parts != nil {
		return fmt.Sprintf("options are separated by commas: write %s=%s,%s", o.name, parts[1], parts[2])
	}
	return ""
}

func (g writtenOption) joinedValues() string {
	words := make([]string, len(g.values))
	for i, v := range g.values {
		words[i] = v.Text
	}
	return strings.Join(words, ",")
}

// joinedPaths joins paths with commas. It leaves out empty ones, removes brackets around them and adds missing
// leading dots.
func (g writtenOption) joinedPaths() string {
	whole := g.joinedValues()
	if strings.HasPrefix(whole, "[") {
		whole = strings.TrimSuffix(whole[1:], "]")
	}
	var paths []string
	for path := range strings.SplitSeq(whole, ",") {
		switch path = strings.TrimSpace(path); {
		case path == "":
		case strings.HasPrefix(path, "."), strings.HasPrefix(path, "$"):
			paths = append(paths, path)
		default:
			paths = append(paths, fieldpath.Dotted(path))
		}
	}
	return strings.Join(paths, ",")
}

// lastTextOrName returns the last value, or the name of an option without values.
func (g writtenOption) lastTextOrName() string {
	if len(g.values) == 0 {
		return g.Name
	}
	return g.values[len(g.values)-1].Text
}

// valueOrNameOffset returns the offset of the first value, or of an option without values.
func (g writtenOption) valueOrNameOffset() int {
	if len(g.values) == 0 {
		return g.offset
	}
	return g.values[0].Offset
}
