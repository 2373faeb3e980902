// Copyright The indexer-gen Authors.
// SPDX-License-Identifier: Apache-2.0

package decode

import (
	"unicode/utf16"
	"unicode/utf8"
)

// unquote reads the string that starts at start and has its first backslash at i.
func (d *Decoder) unquote(start, i int) ([]byte, error) {
	out := append(d.unquoted[:0], d.text[start:i]...)
	for i < len(d.text) {
		switch d.text[i] {
		case '"':
			d.pos = i + 1
			d.unquoted = out
			if cap(out) > maxKept {
				d.unquoted = nil
			}
			return out, nil
		case '\\':
			var err error
			if out, i, err = d.escape(out, i+1); err != nil {
				return nil, err
			}
		default:
			end := plainLength(d.text, i)
			if end == i {
				return nil, ErrOdd // a control character
			}
			out = append(out, d.text[i:end]...)
			i = end
		}
	}
	return nil, ErrShort
}

// maxKept is the size of the largest buffer that a Decoder keeps.
const maxKept = 64 << 10

// simpleEscapes are the escape sequences of one character.
var simpleEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape appends the meaning of the escape sequence whose second character is at i, and returns the
// index after it.
func (d *Decoder) escape(out []byte, i int) ([]byte, int, error) {
	if i >= len(d.text) {
		return nil, i, ErrShort
	}
	if c := simpleEscapes[d.text[i]]; c != 0 {
		return append(out, c), i + 1, nil
	}
	if d.text[i] != 'u' {
		return nil, i, ErrOdd
	}
	r, err := d.hex(i + 1)
	if err != nil {
		return nil, i, err
	}
	if utf16.IsSurrogate(r) {
		return nil, i, ErrOdd // half of a pair
	}
	return utf8.AppendRune(out, r), i + 5, nil
}

// hex reads four hexadecimal digits at i.
func (d *Decoder) hex(i int) (rune, error) {
	if i+4 > len(d.text) {
		return 0, ErrShort
	}
	var r rune
	for _, c := range d.text[i : i+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, ErrOdd
		}
		r = r<<4 | rune(c)
	}
	return r, nil
}
