// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package generator

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/indexer-gen/indexer-gen/generator/fieldpath"
)

// markerError is what is wrong with the text of a marker, and where in it.
type markerError struct {
	offset  int // in bytes, from the +
	message string
}

// parseMarker reads the text of a marker, from its + on, that stands on a thing
// of kind on. It returns its definition and options.
//
// kubebuilder's markers are read by controller-tools' registry. Ours are not: it
// stops at the first error without its place, lets the last of two equal options
// win, and ends a path at a comma in a map's key.
func parseMarker(text string, on target) (def *definition, options givenOptions, bad []markerError) {
	def, rest := splitMarker(text)
	if def == nil {
		return nil, nil, []markerError{unknownMarker(text)}
	}
	return def.parse(text, rest, on)
}

// parse reads what follows the marker's name, which ends at rest. It suggests no marker,
// so that suggestions can be read with it.
func (d *definition) parse(text string, rest int, on target) (_ *definition, options givenOptions, bad []markerError) {
	fail := func(offset int, format string, args ...any) (*definition, givenOptions, []markerError) {
		return nil, nil, []markerError{{offset, fmt.Sprintf(format, args...)}}
	}
	if !slices.Contains(d.on, on) {
		return fail(0, "+%s is not for %s; %s", d.name, on, d.rather(on))
	}
	if rest == len(text) {
		return d, nil, nil
	}
	if len(d.options) == 0 {
		return fail(rest, "+%s takes no options", d.name)
	}
	switch text[rest] {
	case ',':
		return fail(rest, "options follow a colon: write +%s:%s", d.name, text[rest+1:])
	case ' ', '\t':
		return fail(rest, "a marker ends with its line, and nothing follows +%s but options after a colon", d.name)
	case '=':
		return fail(rest, "options follow a colon and have names, as in +%s:name=N", d.name)
	case ':':
	default:
		return fail(rest, "nothing but options after a colon follows +%s, as in +%s:name=N", d.name, d.name)
	}
	scanner := &optionScanner{text: text, at: rest + 1}
	options = scanner.options()
	if len(scanner.bad) > 0 {
		return nil, nil, scanner.bad
	}
	return d, options, d.check(options)
}

// splitMarker finds the definition that a text begins with, and where its name ends. It
// is nil if there is none; an option that follows +index: may be misspelled.
func splitMarker(text string) (def *definition, rest int) {
	end := 1 + identifier(text[1:])
	if text[1:end] != "index" {
		return nil, 0
	}
	if end == len(text) || text[end] != ':' {
		return defined("index"), end
	}
	second := end + 1 + identifier(text[end+1:])
	name := text[end+1 : second]
	if def := defined("index:" + name); def != nil {
		return def, second
	}
	if name != "" && strings.HasPrefix(strings.TrimLeft(text[second:], " \t"), "=") {
		return defined("index"), end
	}
	return nil, 0
}

// identifier returns the length of the name that a text begins with.
func identifier(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' {
			return i
		}
	}
	return len(text)
}

// check says which options are unknown, repeated or given what they do not take.
func (d *definition) check(options givenOptions) (bad []markerError) {
	fail := func(offset int, format string, args ...any) {
		bad = append(bad, markerError{offset, fmt.Sprintf(format, args...)})
	}
	seen := map[string]bool{}
	for i, g := range options {
		o, known := d.option(g.name)
		switch {
		case !known && !g.equals && strings.HasPrefix(g.name, ".") && i > 0:
			fail(g.offset, "several paths go into braces: write paths={%s,%s}", options[i-1].last(), g.name)
		case g.name == "" && g.equals:
			fail(g.offset, "an option has no name before its =")
		case g.name == "":
			fail(g.offset, "an option is missing before the comma")
		case !known && d.refused[g.name] != "":
			fail(g.offset, "+%s has no option %s: %s", d.name, g.name, d.refused[g.name])
		case !known:
			suggestion := didYouMean(g.name, d.optionNames())
			if suggestion == "" {
				suggestion = "; it has " + strings.Join(d.optionNames(), ", ")
			}
			fail(g.offset, "+%s has no option %s%s", d.name, g.name, suggestion)
		case seen[g.name]:
			fail(g.offset, "the option %s is there twice", g.name)
		case !g.equals:
			fail(g.offset, "the option %s has no value; write %s=%s", g.name, g.name, o.kind.example())
		default:
			if message := o.accept(g); message != "" {
				fail(g.place(), "%s", message)
			}
		}
		seen[g.name] = true
	}
	return bad
}

// accept says why an option does not take what it is given, or "".
func (o option) accept(g given) string {
	joined := strings.Trim(g.joined(), "[]{}")
	if o.kind == pathValue || o.kind == pathsValue {
		joined = g.joinedPaths()
	}
	if instead := o.beforeMore(g); instead != "" {
		return instead
	}
	switch {
	case o.kind == pathsValue && len(g.values) == 1 && strings.HasPrefix(g.values[0].text, "["):
		return fmt.Sprintf("several paths go into braces: write paths={%s}", joined)
	case o.kind == pathsValue:
		for _, v := range g.values {
			if v.text == "" {
				return "a path is missing; write paths={.spec.a,.spec.b}"
			}
		}
		return ""
	case g.list && o.kind == pathValue && len(g.values) == 1:
		return "braces are for several paths; leave them out"
	case g.list && o.kind == pathValue:
		return fmt.Sprintf("%s= takes one path; for several write paths={%s}", o.name, joined)
	case g.list && len(g.values) > 1 && strings.Contains(g.values[1].text, "="):
		return fmt.Sprintf("options are separated by commas: write %s=%s", o.name, joined)
	case g.list:
		return fmt.Sprintf("%s= takes one value, as in %s=%s", o.name, o.name, o.kind.example())
	case g.values[0].text == "":
		return fmt.Sprintf("%s= is empty; write %s=%s", o.name, o.name, o.kind.example())
	case o.kind == flagValue && g.values[0].text != "true" && g.values[0].text != "false":
		return fmt.Sprintf("%s is true or false, not %s", o.name, g.values[0].text)
	}
	if head, tail, spaced := strings.Cut(g.values[0].text, " "); spaced {
		tail = strings.TrimSpace(tail)
		if n := identifier(tail); n > 0 && strings.HasPrefix(tail[n:], "=") && !strings.HasPrefix(tail[n:], "==") {
			return fmt.Sprintf("options are separated by commas: write %s=%s,%s", o.name, head, tail)
		}
	}
	return ""
}

// withColon is a value and another option that a colon is between, not in brackets.
var withColon = regexp.MustCompile(`^([^\s:\[]+):\s*(\w+=[^=].*)$`)

// beforeMore says what is wrong with a single value that a comment or, behind a colon,
// another option follows; "" if none does.
func (o option) beforeMore(g given) string {
	if g.list || len(g.values) != 1 {
		return ""
	}
	value := g.values[0].text
	for _, sign := range []string{" #", " //"} {
		head, _, commented := strings.Cut(value, sign)
		head = strings.TrimSpace(head)
		_, err := fieldpath.Parse(head)
		if commented && head != "" && (err == nil || o.kind != pathValue) {
			return fmt.Sprintf("a marker ends with its line, and a comment cannot follow; write %s=%s", o.name, head)
		}
	}
	if parts := withColon.FindStringSubmatch(value); parts != nil {
		return fmt.Sprintf("options are separated by commas: write %s=%s,%s", o.name, parts[1], parts[2])
	}
	return ""
}

func (g given) joined() string {
	words := make([]string, len(g.values))
	for i, v := range g.values {
		words[i] = v.text
	}
	return strings.Join(words, ",")
}

// joinedPaths joins paths as they are written, also if brackets are around them or their
// dots are missing.
func (g given) joinedPaths() string {
	whole := g.joined()
	if strings.HasPrefix(whole, "[") {
		whole = strings.TrimSuffix(whole[1:], "]")
	}
	paths := strings.Split(whole, ",")
	for i, path := range paths {
		if path = strings.TrimSpace(path); path != "" && !strings.HasPrefix(path, ".") && !strings.HasPrefix(path, "$") {
			path = fieldpath.Dotted(path)
		}
		paths[i] = path
	}
	return strings.Join(paths, ",")
}

// last is the last value, for a message.
func (g given) last() string {
	if len(g.values) == 0 {
		return g.name
	}
	return g.values[len(g.values)-1].text
}

// place is where the first value stands, or the option.
func (g given) place() int {
	if len(g.values) == 0 {
		return g.offset
	}
	return g.values[0].offset
}
