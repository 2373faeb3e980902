// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
	"github.com/indexer-gen/indexer-gen/generator/internal/fieldpath"
)

// unknownMarker returns the error for a text that begins with + and is not a marker. The error
// suggests the closest marker.
func unknownMarker(text string) Error {
	unknown := func(hint string) Error {
		head, _, _ := strings.Cut(text, "=")
		head, _, _ = strings.Cut(head, ",")
		return Error{0, "unknown marker " + head + hint}
	}
	end := 1 + Identifier(text[1:])
	if text[1:end] != "index" {
		if best := diag.Nearest(text[:end], markerNames()); best != "+index" &&
			diag.Distance(strings.ToLower(text[:end]), best) <= 2 {
			return unknown("; did you mean " + best + "?")
		}
		return unknown(meantIndex(text[end:]))
	}
	index := defined("index")
	second := end + 1 + Identifier(text[end+1:])
	name := text[end+1 : second]
	// An exact name of an option is a better suggestion than a similar name of a marker.
	option, isOption := index.option(name)
	follows := strings.TrimLeft(text[second:], " \t")
	switch {
	case name == "" && follows != text[second:] && Identifier(follows) > 0:
		return Error{second, "remove the space after the colon; write " + text[:second] + follows}
	case isOption:
		return unknown(fmt.Sprintf("; write +index:%s=%s", name, option.kind.example()))
	case name == "":
		return unknown(meantIndex(text[end:]))
	}
	all := index.OptionNames()
	for _, d := range language[1:] {
		all = append(all, strings.TrimPrefix(d.Name, "index:"))
	}
	best := diag.Nearest(name, all)
	switch option, isOption := index.option(best); {
	case best == "",
		len(name) < 5 && diag.Distance(strings.ToLower(name), best) > 1: // short names are similar to many
		return unknown(meantIndex(text[end:]))
	case isOption:
		return unknown("; did you mean +index:" + best + "=" + option.kind.example() + "?")
	}
	return unknown("; did you mean +index:" + best + "?")
}

// meantIndex returns the suggestion for a misspelled +index. rest is the text after the name; the
// suggestion includes it if the result is valid.
func meantIndex(rest string) string {
	bare := strings.Trim(rest, "{}():=,\"`' \t")
	switch {
	case accepted("+index" + rest):
		return "; did you mean +index" + rest + "?"
	case bare == "":
	case accepted("+index:" + bare):
		return "; did you mean +index:" + bare + "?"
	case token.IsExported(bare) && accepted("+index:name="+bare):
		return "; did you mean +index:name=" + bare + "?"
	case strings.HasPrefix(bare, "."):
		meant := "+index:name=N,path=" + bare
		if !accepted(meant) {
			meant = "+index:name=N,path=.spec.field"
		}
		return "; the path is an option: write " + meant
	}
	return "; did you mean +index, or +index:name=N?"
}

// accepted reports whether text is a valid marker for some target, with valid paths.
func accepted(text string) bool {
	def, rest := splitMarker(text)
	if def == nil {
		return false
	}
	for _, on := range []target{onType, OnField, onFunc} {
		_, options, bad := def.parse(text, rest, on)
		if len(bad) > 0 || len(def.checkCombination(options, on)) > 0 {
			continue
		}
		for _, path := range options.Paths() {
			_, err := fieldpath.Parse(path.Text)
			if err != nil {
				return false
			}
		}
		return true
	}
	return false
}

// nearlyIndex reports whether a name is a likely misspelling of index: another case, a
// synonym or transposed letters.
func nearlyIndex(name string) bool {
	name = strings.ToLower(name)
	letters := []rune(name)
	slices.Sort(letters)
	return name == "idx" || name == "indices" || strings.HasPrefix(name, "index") ||
		string(letters) == "deinx"
}
