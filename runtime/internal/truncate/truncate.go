// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

// Package truncate limits and cleans text from outside before it becomes part of an error.
//
// A server can send megabytes of text, terminal control characters, newlines that forge log records,
// and bytes that are not UTF-8. Sources and the reflector pass every error with such text through
// [Error], so that it fits into one log record.
package truncate

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxText is the size, in bytes, up to which an error keeps its text.
const MaxText = 4096

// Text returns the printable part of s in at most limit bytes. A longer s is replaced by its
// beginning, its length and its end, for which limit must be at least 64.
//
// White space becomes a space. Each run of other unprintable characters and of bytes that are not
// UTF-8 becomes U+FFFD.
func Text(s string, limit int) string {
	size := len(s)
	if s = clean(s); len(s) <= limit {
		return s
	}
	mark := fmt.Sprintf("...(%d bytes in all)...", size)
	room := max(limit-len(mark), 0)
	head, tail := room-room/4, len(s)-room/4
	for !utf8.RuneStart(s[head]) {
		head--
	}
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	return s[:head] + mark + s[tail:]
}

func clean(s string) string {
	replaced := false // the character before
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf && unicode.IsSpace(r):
			replaced = false
			return ' '
		case r != utf8.RuneError && unicode.IsGraphic(r): // a byte that is not UTF-8 is a RuneError
			replaced = false
			return r
		case replaced:
			return -1
		}
		replaced = true
		return utf8.RuneError
	}, s)
}
