// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package marker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/indexer-gen/indexer-gen/generator/internal/diag"
)

// meantIndexHint is the suggestion for a misspelled +index.
const meantIndexHint = "; did you mean +index on a field, or +index:name=N,path=.spec.field on a type?"

// unknownMarkerError returns the error for a text that begins with + and is not a marker. The error
// suggests the closest marker.
func unknownMarkerError(text string) Error {
	unknown := func(hint string) Error {
		head, _, _ := strings.Cut(text, "=")
		head, _, _ = strings.Cut(head, ",")
		return Error{0, "unknown marker " + head + hint}
	}
	end := 1 + Identifier(text[1:])
	if text[1:end] != "index" {
		if best := diag.Nearest(text[:end], markerNamesWithPlus()); best != "+index" &&
			diag.Distance(strings.ToLower(text[:end]), best) <= 2 {
			return unknown("; did you mean " + best + "?")
		}
		return unknown(meantIndexHint)
	}
	index := findDefinition("index")
	second := end + 1 + Identifier(text[end+1:])
	name := text[end+1 : second]
	// An exact name of an option is a better suggestion than a similar name of a marker.
	option, isOption := index.findOption(name)
	follows := strings.TrimLeft(text[second:], " \t")
	switch {
	case name == "" && follows != text[second:] && Identifier(follows) > 0:
		return Error{second, "remove the space after the colon; write " + text[:second] + follows}
	case isOption:
		return unknown(fmt.Sprintf("; write +index:%s=%s", name, option.kind.example()))
	case name == "":
		return unknown(meantIndexHint)
	}
	all := index.OptionNames()
	for _, d := range markerDefinitions[1:] {
		all = append(all, strings.TrimPrefix(d.Name, "index:"))
	}
	best := diag.Nearest(name, all)
	switch option, isOption := index.findOption(best); {
	case best == "",
		len(name) < 5 && diag.Distance(strings.ToLower(name), best) > 1: // short names are similar to many
		return unknown(meantIndexHint)
	case isOption:
		return unknown("; did you mean +index:" + best + "=" + option.kind.example() + "?")
	}
	return unknown("; did you mean +index:" + best + "?")
}

// looksLikeIndex reports whether a name is a likely misspelling of index: another case, a
// synonym or transposed letters.
func looksLikeIndex(name string) bool {
	name = strings.ToLower(name)
	letters := []rune(name)
	slices.Sort(letters)
	return name == "idx" || name == "indices" || strings.HasPrefix(name, "index") ||
		string(letters) == "deinx"
}
